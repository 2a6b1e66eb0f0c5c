#!/usr/bin/env node
/** `waybill`, the command of the package: finds the command that its words name, and ends with its exit status. */
import { programVersion } from '../version.js'

/** A command whose module is imported when it is run. Resolves with the exit status; undefined: the process goes on. */
interface Command {
  /** As it stands in the help. */
  readonly words: string
  readonly about: string
  run(args: readonly string[]): Promise<number | undefined>
}

/** What a module of a command exports. */
interface CommandModule {
  readonly usage: string
  run(args: readonly string[]): Promise<number>
}

const commands: readonly Command[] = [
  {
    words: 'start',
    about:
      'Runs the gateway. Environment variables configure it; "waybill start --help" lists them.',
    async run() {
      process.setSourceMapsEnabled(true)
      await import('../start.js')
      return undefined
    },
  },
  {
    words: 'plugin new <kind> <name>',
    about: 'Begins a package for a plugin: code, manifest, tests, a file for CI.',
    run: (args) => runModule(import('./plugin-new.js'), args),
  },
  {
    words: 'plugin check <folder>',
    about: 'Holds a package or folder of plugins against what the gateway asks of them.',
    run: (args) => runModule(import('./plugin-check.js'), args),
  },
  {
    words: 'plugin live <channel-type>',
    about: 'Tries a provider against the real service, with a key of yours.',
    run: (args) => runModule(import('./plugin-live.js'), args),
  },
  {
    words: 'ledger check',
    about: 'Checks every invariant of the books.',
    run: (args) => runModule(import('./ledger-check.js'), args),
  },
]

process.exitCode = await runCommand(process.argv.slice(2))

async function runCommand(args: readonly string[]): Promise<number | undefined> {
  const [first = '--help'] = args
  if (['--version', '-v', 'version'].includes(first)) return say(programVersion())
  if (['--help', '-h', 'help'].includes(first)) return say(helpText())
  const command = commands.find(({ words }) =>
    wordsOf(words).every((word, at) => args[at] === word),
  )
  if (command !== undefined) return command.run(args.slice(wordsOf(command.words).length))
  process.stderr.write(`${faultOf(args)}; waybill --help lists them.\n`)
  return 1
}

/** Some commands have two words. */
function faultOf(args: readonly string[]): string {
  const [first] = args
  const seconds = commands.flatMap(({ words }) => {
    const [one, two] = wordsOf(words)
    return one === first && two !== undefined ? [two] : []
  })
  return args.length === 1 && seconds.length > 0
    ? `After "${first}" one of these is expected: ${seconds.join(', ')}`
    : `There is no command "${args.join(' ')}"`
}

/** A fault of the operator's is one sentence on stderr. */
async function runModule(importing: Promise<CommandModule>, args: readonly string[]) {
  const { usage, run } = await importing
  if (args.some((arg) => arg === '--help' || arg === '-h')) return say(usage)
  try {
    return await run(args)
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

/** Without what stands for a value. */
function wordsOf(words: string): readonly string[] {
  return words.split(' ').filter((word) => !word.startsWith('<'))
}

function helpText(): string {
  const rows = [
    ...commands.map(({ words, about }) => [words, about] as const),
    ['--help', 'Shows this. After a command: how that is used.'] as const,
    ['--version', 'Shows the version.'] as const,
  ]
  const wide = Math.max(...rows.map(([words]) => words.length))
  return [
    `Waybill ${programVersion()}: a model relay gateway.`,
    '',
    'Usage: waybill <command>',
    '',
    ...rows.map(([words, about]) => `  ${words.padEnd(wide)}  ${about}`),
  ].join('\n')
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}
