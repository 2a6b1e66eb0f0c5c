/** What is fuzzed of the providers: every adapter there is, and a usual body of every operation. */
import { existsSync, readdirSync } from 'node:fs'
import type { Body } from '../../kernel/contract/body.js'
import type { JsonObject } from '../../kernel/contract/json.js'
import type { OperationName } from '../../kernel/contract/names.js'
import type { Adapter, ChannelView, Provider } from '../../kernel/contract/provider.js'
import type { Kit } from '../../kernel/contract/service-kit.js'
import { channelOf, kitWith, manifestOf } from '../providers/provider-kit.js'
import { wires } from '../providers/wires.js'
import { sourcePath } from './corpus.js'

/** One adapter of one provider, with a channel to call it through. */
export interface Subject {
  readonly operation: OperationName
  readonly adapter: Adapter
  readonly channel: ChannelView
  readonly provider: Provider
}

const folders = readdirSync(sourcePath('providers')).filter((name) =>
  existsSync(sourcePath(`providers/${name}/manifest.json`)),
)
/** Settings without which a provider calls nobody. */
const needed: Readonly<Record<string, JsonObject>> = {
  cloudflare: { account: 'a1' },
  'advanced-custom': {
    routes: {
      routes: [{ incoming_path: '/v1/chat/completions', upstream_path: '/{model}/chat' }],
    },
  },
}

/** Every adapter of every provider. */
export const subjects: readonly Subject[] = (await Promise.all(folders.map(subjectsOf))).flat()

async function subjectsOf(name: string): Promise<Subject[]> {
  const manifest = manifestOf(name)
  const module = (await import(`../../providers/${name}/index.js`)) as {
    default(kit: Kit): Provider
  }
  const provider = module.default(kitWith(manifest))
  const channel = channelOf(
    manifest,
    needed[name],
    manifest.channelTypes[0]!.baseUrl || 'https://upstream.example',
  )
  return Object.entries(provider.operations).flatMap(([operation, given]) =>
    [given].flat().map((adapter) => ({
      operation: operation as OperationName,
      adapter: adapter as Adapter,
      channel,
      provider,
    })),
  )
}

/** A body of the operation as its clients send it. */
export function bodyOf(operation: OperationName): Body {
  const wire = wires[operation] as Body
  return wire.kind === 'form' || wire.kind === 'none'
    ? wire
    : { kind: 'json', value: wire as never }
}
