/** The stages of a request with their durations, made of the moments that its row keeps. */
import { requestMoments, tryMoments } from '../../../../kernel/toolkit/stage/index.js'
import type { RequestTrace } from '../../../services/usage-log/index.js'

export const stageNames = [
  ...['body', 'auth', 'plan', 'reserve', 'connect', 'wait', 'content'],
  ...['upstream', 'delivery'],
] as const

export interface Stage {
  readonly stage: string
  /** The try it belongs to, from 1; 0: to none. */
  readonly attempt: number
  /** Milliseconds since the request arrived. */
  readonly from: number
  readonly to: number
}

const [ofRequest, ofTry] = [requestMoments.length, tryMoments.length]
const requestStages = ['body', 'auth', 'plan']
/** What ends with each moment of a try after its first. */
const tryStages = ['reserve', 'connect', 'wait', 'content']

/** Of everything, as admins see it. */
export function stagesOf({ times, durationMs }: Trace): readonly Stage[] {
  const stages = beforeTries(times)
  for (let attempt = 1; attempt <= triesIn(times); attempt += 1)
    stages.push(...ofOneTry(times, attempt))
  return delivered(stages, times, durationMs)
}

/** Of what its owner may know: all tries are one. */
export function ownStagesOf({ times, durationMs }: Trace): readonly Stage[] {
  const stages = beforeTries(times)
  const began = times[ofRequest] ?? -1
  const ended = lastEnd(times)
  if (began >= 0 && ended >= began)
    stages.push({ stage: 'upstream', attempt: 0, from: began, to: ended })
  return delivered(stages, times, durationMs)
}

type Trace = Pick<RequestTrace, 'times' | 'durationMs'>

function triesIn(times: readonly number[]): number {
  return Math.floor(Math.max(0, times.length - ofRequest) / ofTry)
}

/** A moment that was not reached ends nothing; what comes next begins where the last one ended. */
function chained(
  names: readonly string[],
  moments: readonly number[],
  begin: number,
  attempt: number,
) {
  const stages: Stage[] = []
  let from = begin
  names.forEach((stage, at) => {
    const to = moments[at] ?? -1
    if (to < 0) return
    stages.push({ stage, attempt, from, to: Math.max(from, to) })
    from = Math.max(from, to)
  })
  return stages
}

function beforeTries(times: readonly number[]): Stage[] {
  return chained(requestStages, times.slice(0, ofRequest), 0, 0)
}

function ofOneTry(times: readonly number[], attempt: number): readonly Stage[] {
  const [begun = -1, ...rest] = times.slice(ofRequest + (attempt - 1) * ofTry)
  return begun < 0 ? [] : chained(tryStages, rest.slice(0, ofTry - 1), begun, attempt)
}

function lastEnd(times: readonly number[]): number {
  const ends = Array.from(
    { length: triesIn(times) },
    (_, at) => times[ofRequest + (at + 1) * ofTry - 1] ?? -1,
  )
  return Math.max(-1, ...ends)
}

/** From the first content to the end. What comes after that, the commit of the charge, is in no row: it writes it. */
function delivered(stages: readonly Stage[], times: readonly number[], durationMs: number) {
  const from = lastEnd(times)
  if (from < 0 || durationMs < from) return stages
  return [...stages, { stage: 'delivery', attempt: 0, from, to: durationMs }]
}
