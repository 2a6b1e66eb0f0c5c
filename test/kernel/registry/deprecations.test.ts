/** What is deprecated goes on working, and whoever uses it is warned once. */
import t from 'tap'
import type { GuardKit } from '../../../kernel/contract/kit.js'
import type { Deprecations } from '../../../kernel/registry/deprecations.js'
import { planned } from '../../kit/line-fakes.js'
import { found, registryOf, stateOf } from './plugins.js'

const deprecations: Deprecations = {
  manifest: [
    {
      name: 'routes[].summary',
      since: '1.1.0',
      replacement: '"title" of the route',
      removal: '2.0.0',
    },
    { name: 'guards.where', since: '1.1.0', replacement: '"guards.side"', removal: '2.0.0' },
  ],
  kit: [
    { name: 'log.debug', since: '1.2.0', replacement: '"log.info"', removal: '2.0.0' },
    { name: 'settings.json', since: '1.2.0', replacement: '"settings.all"', removal: '2.0.0' },
  ],
}

const ofWhere =
  'The manifest has the field "guards.where", which is deprecated since version 1.1.0 of the contract and gone in 2.0.0; use "guards.side".'
const ofDebug =
  'It uses "log.debug" of its kit, which is deprecated since version 1.2.0 of the contract and gone in 2.0.0; use "log.info".'

t.test(
  'deprecated fields and members of the kit are named once, with what takes their place',
  async (t) => {
    const lines: (readonly [plugin: unknown, message: string])[] = []
    const log = {
      debug: (fields: object, message: string) => void lines.push([fields, message]),
      info() {},
      warn: (fields: { plugin?: string }, message: string) =>
        void lines.push([fields.plugin, message]),
      error() {},
    }
    let kept: GuardKit | undefined
    const guard = found(
      'guard.old',
      { guards: { stage: 'auth', where: 'after' } },
      (kit: GuardKit) => {
        kept = kit
        kit.log.debug({ round: 1 }, 'made')
        return { check: () => kit.log.debug({ round: 2 }, 'checked') }
      },
    )
    const registry = await registryOf([guard, found('service.new'), found('stage.auth')], {
      line: ['auth'],
      log,
      deprecations,
    })
    for (const one of registry.guards('auth', 'after')) one.check(planned() as never)

    t.strictSame(stateOf(registry, 'guard.old')?.warnings, [ofWhere, ofDebug])
    t.equal(stateOf(registry, 'service.new')?.warnings, undefined, 'who uses none is not warned')
    const warned = lines.filter(([, message]) => message.includes('deprecated'))
    t.strictSame(warned, [
      ['guard.old', ofWhere],
      ['guard.old', ofDebug],
    ])
    t.equal(lines.filter(([, message]) => message === 'made' || message === 'checked').length, 2)
    t.strictSame(
      Object.keys(kept ?? {}),
      ['settings', 'log', 'fetch'],
      'the kit holds what it held',
    )
    t.throws(() => Object.assign(kept ?? {}, { log: 1 }), 'and cannot be changed')
  },
)
