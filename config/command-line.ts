/** The command line of the gateway itself, `npm start` and `waybill start`, and its text of `--help`. */
import { type Variable, variables } from './variables.js'

export type Command = 'start' | 'help' | 'version'

/** Throws an `Error` with a sentence for an argument that means nothing. */
export function commandOf(args: readonly string[]): Command {
  const unknown = args.find((arg) => !Object.hasOwn(meanings, arg))
  if (unknown !== undefined) {
    throw new Error(`"${unknown}" means nothing here; --help lists what does.`)
  }
  return args.map((arg) => meanings[arg]).find((requested) => requested !== 'start') ?? 'start'
}

export function helpText(version: string): string {
  const wide = Math.max(...variables.map(({ name }) => name.length))
  const rows = variables.map((variable) => row(variable, wide))
  return [
    `Waybill ${version}: a model relay gateway.`,
    '',
    'Usage: npm start [-- --help | --version], or waybill start [--help]',
    '',
    'Environment variables configure everything else:',
    '',
    ...rows,
    '',
  ].join('\n')
}

const meanings: Readonly<Record<string, Command>> = {
  start: 'start',
  '--help': 'help',
  '-h': 'help',
  '--version': 'version',
  '-v': 'version',
}

function row({ name, defaultText, meaning, takes }: Variable, wide: number): string {
  const without = defaultText === '' ? '' : ` Default: ${defaultText}.`
  return `  ${name.padEnd(wide)}  ${meaning}${without}\n  ${' '.repeat(wide)}  Takes ${takes}.`
}
