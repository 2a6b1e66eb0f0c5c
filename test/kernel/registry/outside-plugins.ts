/** Plugins from outside in a registry of their own, whose functions a test replaces by hostile ones. */
import type { Adapter, ChannelView } from '../../../kernel/contract/provider.js'
import type { Found } from '../../../kernel/registry/discovery.js'
import type { Registry } from '../../../kernel/registry/registry.js'
import { FakeClock } from '../../kit/clock.js'
import { found, type Part, registryOf, stateOf } from './plugins.js'
import { keptLog } from './throwing-plugins.js'

export const fromOutside = (plugin: Found): Found => ({
  ...plugin,
  origin: { entry: './here', folder: '/here' },
})

const channel: ChannelView = { id: 1, type: 901, baseUrl: 'https://a.example', settings: {} }

/** An adapter in a form of its own that does everything right. */
export const sound: Readonly<Record<string, unknown>> = {
  format: 'own',
  serves: () => true,
  encode: () => ({ turns: 1 }),
  unsupportedFields: () => ({ refuse: [], report: [] }),
  refuses: () => [],
  adjust: (wire: object) => wire,
  knowsDeveloper: () => true,
  address: () => ({ method: 'POST', url: 'https://a.example/v1', headers: { a: 'b' } }),
  failureIn: () => undefined,
  read: () => ({ push: () => [], flush: () => [{ type: 'end' }] }),
  fail: () => ({ blame: 'upstream', status: 500, code: 'upstream_error', message: 'no' }),
}

export interface OutsideWorld {
  readonly registry: Registry
  readonly clock: FakeClock
  readonly log: ReturnType<typeof keptLog>
  /** As a pick finds it. */
  adapter(): Adapter | undefined
  health(id: string): NonNullable<ReturnType<typeof stateOf>>['health']
}

export async function outsideWorld(
  plugins: readonly Found[],
  more: Parameters<typeof registryOf>[1] = {},
): Promise<OutsideWorld> {
  const clock = new FakeClock()
  const log = keptLog()
  const registry = await registryOf(plugins, { clock, log, ...more })
  await registry.start()
  await registry.providers.warm(901)
  const query = { operation: 'chat', format: 'chat', model: 'm' } as const
  return {
    registry,
    clock,
    log,
    adapter: () => registry.providers.adapter(channel, query),
    health: (id) => stateOf(registry, id)?.health,
  }
}

/** A provider with one chat adapter, or whatever `create` returns. */
export function providerOf(
  members: Readonly<Record<string, unknown>>,
  create = (): unknown => ({ operations: { chat: { ...sound, ...members } } }),
  more: Part = {},
): Found {
  const channelTypes = [{ id: 901, name: 'bad', baseUrl: '' }]
  return found('provider.bad', { channelTypes, ...more }, create)
}

/** What was thrown, as a value. */
export function thrown(run: () => unknown): unknown {
  try {
    run()
  } catch (error) {
    return error
  }
  return undefined
}

/** Lets everything that waits for no timer go on. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
