/**
 * `waybill plugin live`: tries a provider against the real service, with a key of the operator's, through a gateway of its own that is
 * gone afterwards, and prints what came of each request.
 */
import { parseArgs } from 'node:util'
import { isObject } from '../../kernel/contract/json.js'
import { type LiveClient, shortened } from '../../plugins/services/channel-tests/live/replies.js'
import {
  type LiveResult,
  liveRequests,
  unknownModel,
} from '../../plugins/services/channel-tests/live/requests.js'
import { startTestGateway, type TestGateway } from '../../test/testing/index.js'
import { variableNamed } from '../environment.js'

const names = liveRequests.map(({ name }) => name)

export const usage = `Usage: waybill plugin live <channel-type> --model <model> (--key <key> | --key-env <NAME>)
                           [--base-url <address>] [--embedding-model <model>]
                           [--plugin <package or folder>] [--settings <JSON>] [--only <names>]

Sends requests to the real service through a gateway of its own, and prints what came of each. They cost a few thousand tokens.

  <channel-type>     a number or <plugin>/<name>, such as 43 or acme/acme
  --key-env          the environment variable that holds the key, so that no history of commands does
  --base-url         default: the service's own address
  --plugin           a plugin from outside that serves the type; may be given several times
  --settings         fields of the channel, as an object
  --only             some of: ${names.join(', ')}
`

interface Command {
  readonly type: string
  readonly model: string
  readonly key: string
  readonly baseUrl: string
  readonly embeddingModel: string | undefined
  readonly plugins: readonly string[]
  readonly settings: Record<string, never>
  readonly only: readonly string[]
}

/** Resolves with the exit status: 1 where a request failed. `write` is given what is printed. */
export async function run(
  args: readonly string[],
  write: (text: string) => unknown = (text) => process.stdout.write(text),
): Promise<number> {
  const command = commandOf(args)
  const gateway = await startTestGateway({ plugins: command.plugins, funds: 1_000_000_000 })
  try {
    return await tried(gateway, command, write)
  } finally {
    await gateway.close()
  }
}

async function tried(gateway: TestGateway, command: Command, write: (text: string) => unknown) {
  const client = await clientOf(gateway, command)
  let failed = 0
  for (const { name, run } of liveRequests.filter(({ name }) => command.only.includes(name))) {
    const began = performance.now()
    const { outcome, words } = await run(client)
    if (outcome === 'failed') failed += 1
    write(row(name, outcome, performance.now() - began, hidden(words, command.key)))
  }
  await gateway.balance()
  write(`\n${failed === 0 ? 'Every request passed' : `${failed} failed`}.\n`)
  return failed === 0 ? 0 : 1
}

function row(name: string, outcome: LiveResult['outcome'], ms: number, words: string): string {
  return `${outcome.padEnd(8)}${name.padEnd(22)}${`${Math.round(ms)} ms`.padStart(9)}  ${words}\n`
}

/** What is printed may be shown to others. */
function hidden(words: string, key: string): string {
  return words.replaceAll(key, '***')
}

async function clientOf(gateway: TestGateway, command: Command): Promise<LiveClient> {
  const { type, model, key, baseUrl, embeddingModel, settings } = command
  const models = [model, unknownModel, ...(embeddingModel === undefined ? [] : [embeddingModel])]
  const id = await gateway.addChannel({
    ...{ type: /^\d+$/.test(type) ? Number(type) : type, baseUrl, key, models, settings },
  })
  const token = await gateway.key()
  return {
    ...{ model, embeddingModel },
    send: (method, path, body, signal) =>
      fetch(`${gateway.url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal: signal ?? AbortSignal.timeout(requestMs),
      }),
    models: () => gateway.request('GET', `/api/channel/fetch_models/${id}`),
  }
}

/** Of one request. */
const requestMs = 180_000

function commandOf(args: readonly string[]): Command {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...{ model: { type: 'string' }, key: { type: 'string' }, 'key-env': { type: 'string' } },
      ...{ 'base-url': { type: 'string' }, 'embedding-model': { type: 'string' } },
      ...{ settings: { type: 'string' }, only: { type: 'string' } },
      plugin: { type: 'string', multiple: true },
    },
    allowPositionals: true,
  })
  const [type, more] = positionals
  if (type === undefined || more !== undefined) throw new Error('One channel type is expected.')
  const { model } = values
  if (model === undefined || model === '') throw new Error('--model names the model to try.')
  const { 'embedding-model': embeddingModel, plugin: plugins = [], only = '' } = values
  return {
    ...{ type, model, embeddingModel, plugins, key: keyOf(values), only: chosen(only) },
    ...{ baseUrl: values['base-url'] ?? '', settings: settingsOf(values.settings) },
  }
}

function keyOf(values: { readonly key?: string; readonly 'key-env'?: string }): string {
  const { key, 'key-env': name } = values
  if ((key === undefined) === (name === undefined)) {
    throw new Error('Either --key or --key-env is expected.')
  }
  return key ?? variableNamed(name!)
}

function chosen(only: string): readonly string[] {
  const wanted = only
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const unknown = wanted.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Error(`--only names "${unknown}", which is none of: ${names.join(', ')}.`)
  return wanted.length > 0 ? wanted : names
}

function settingsOf(text: string | undefined): Command['settings'] {
  if (text === undefined) return {}
  try {
    const value: unknown = JSON.parse(text)
    if (isObject(value)) return value as Command['settings']
  } catch {
    // Said below.
  }
  throw new Error(`--settings is "${shortened(text)}", and must be a JSON object.`)
}
