/**
 * What a fuzz target is and how it is run: fast-check makes the inputs from a seed, runs them until the time is up, and
 * reduces what falls to the smallest input that still does. Findings of one kind are kept once (decision 0061).
 */
import fc from 'fast-check'

export interface Target<Input = unknown> {
  readonly name: string
  /** Inputs are plain JSON, so that a finding can be kept as a file; bytes are written as Latin-1 text. */
  readonly inputs: fc.Arbitrary<Input>
  /** Throws where a rule of the parser is broken. */
  check(input: Input): void
}

/** A target among others, whose inputs are its own business. */
export interface AnyTarget {
  readonly name: string
  readonly inputs: fc.Arbitrary<unknown>
  check(input: never): void
}

export interface Finding {
  readonly target: string
  /** What went wrong, in one line. */
  readonly complaint: string
  readonly input: unknown
}

export interface Report {
  readonly executions: number
  readonly findings: readonly Finding[]
}

export interface Bounds {
  readonly seed: number
  readonly ms: number
  /** Absent: as many as the time allows. */
  readonly executions?: number
}

/** One input may take so much of the processor; none is larger than some hundred kilobytes. */
const cpuMsMax = 2_000
const findingsMax = 20

export function fuzz(target: AnyTarget, { seed, ms, executions: most = 1e9 }: Bounds): Report {
  const { inputs, name } = target
  const findings = new Map<string, Finding>()
  const end = Date.now() + ms
  let executions = 0
  for (let round = 0; findings.size < findingsMax; round += 1) {
    const left = end - Date.now()
    if (left <= 0 || executions >= most) break
    const property = fc.property(inputs, (input) => {
      executions += 1
      const complaint = complaintOf(target, input)
      if (complaint !== undefined && !findings.has(kindOf(complaint))) throw new Error(complaint)
    })
    const { failed, counterexample } = fc.check(property, {
      seed: seed + round,
      numRuns: most - executions,
      interruptAfterTimeLimit: left,
      markInterruptAsFailure: false,
      maxSkipsPerRun: 1_000,
    })
    if (!failed || counterexample === null) break
    const [input] = counterexample
    const complaint = complaintOf(target, input) ?? 'it does not fall again'
    findings.set(kindOf(complaint), { target: name, complaint, input })
  }
  return { executions, findings: [...findings.values()] }
}

/** Undefined: every rule held. */
export function complaintOf(target: AnyTarget, input: unknown): string | undefined {
  const before = process.cpuUsage()
  try {
    const { check } = target as Target
    check(input)
  } catch (error) {
    return oneLine(error)
  }
  const { user, system } = process.cpuUsage(before)
  const took = (user + system) / 1000
  return took > cpuMsMax ? `it took more than ${cpuMsMax} ms of the processor` : undefined
}

/** The error and the innermost place of the product it came from. */
function oneLine(error: unknown): string {
  if (!(error instanceof Error)) return `it threw a value of type ${typeof error}`
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  const own = frames.find((line) => /\/(?:kernel|plugins|providers)\//.test(line)) ?? ''
  const place = /((?:kernel|plugins|providers)\/[^):]+:\d+)/.exec(own)?.[1]
  const text = error.message.split('\n')[0]!.slice(0, 300)
  return `${error.name}: ${text}${place === undefined ? '' : ` (${place})`}`
}

/** Numbers and what is quoted differ between inputs that show the same fault. */
function kindOf(complaint: string): string {
  const place = /\(([^()]*:\d+)\)$/.exec(complaint)?.[1]
  return place ?? complaint.replace(/"[^"]*"|\d+/g, '#')
}
