/** Faults planted into a sound guard, one at a time: the kit notices each of them. */
import t from 'tap'
import { Refusal } from '../../kernel/toolkit/errors/index.js'
import type { GuardSubject } from './guard.js'
import { bodyWith, guardFailures, guardManifest, soundGuard, textOf } from './guard-example.js'

type Create = GuardSubject['create']

/** The sound guard with something before its verdict. */
const first =
  (act: (record: Record<string, unknown>, kit: Parameters<Create>[0]) => void): Create =>
  (kit) => {
    const guard = soundGuard(kit)
    return {
      check(record) {
        act(record as unknown as Record<string, unknown>, kit)
        return guard.check(record)
      },
    }
  }

const faults: Readonly<Record<string, readonly [create: Create, title: RegExp]>> = {
  'it lets everything through': [() => ({ check() {} }), /the word: the request is refused/],
  'it refuses everything': [
    () => ({
      check() {
        throw new Refusal('access_denied')
      },
    }),
    /harmless: the request goes on/,
  ],
  'it returns its verdict': [
    ({ settings }) => ({
      check: ({ body }) => !textOf(body).includes(settings.string('word')) as never,
    }),
    /the word: the request is refused/,
  ],
  'it throws an error of its own': [
    () => ({
      check({ body }) {
        if (textOf(body).includes('forbidden')) throw new Error('no')
      },
    }),
    /the word: the request is refused/,
  ],
  'it refuses by another code': [
    () => ({
      check({ body }) {
        if (textOf(body).includes('forbidden')) throw new Refusal('internal_error')
      },
    }),
    /the word: the request is refused/,
  ],
  'it writes to the body': [
    first(({ body }) => {
      const { value } = body as { value?: Record<string, unknown> }
      if (value !== undefined) value.checked = true
    }),
    /harmless: the request goes on/,
  ],
  'it writes to the record': [
    first((record) => Object.assign(record, { checked: true })),
    /harmless: the request goes on/,
  ],
  'it writes to the bytes of a file': [
    first(({ body }) => {
      const { files = [] } = body as { files?: { bytes: Buffer }[] }
      for (const { bytes } of files) bytes[0] = 0
    }),
    /a form with a file/,
  ],
  'it takes messages for a list': [
    first(({ body }) => {
      const { value } = body as { value?: { messages: { content: string }[] } }
      for (const { content } of value?.messages ?? []) content.includes('x')
    }),
    /messages of everything but messages/,
  ],
  'it waits for something that never comes': [
    () => ({ check: () => new Promise<void>(() => {}) }),
    /harmless: the request goes on/,
  ],
  'it remembers the request before': [
    (kit) => {
      const guard = soundGuard(kit)
      let refused = false
      return {
        async check(record) {
          if (refused) throw new Refusal('internal_error')
          refused = textOf(record.body).includes('forbidden')
          await guard.check(record)
        },
      }
    },
    /at the same time/,
  ],
  'it logs the key': [
    first(({ credential }, { log }) => log.info({ credential }, 'a request')),
    /harmless: the request goes on/,
  ],
  'it logs while it is created': [
    (kit) => {
      kit.log.info({}, 'here I am')
      return soundGuard(kit)
    },
    /creating it logs nothing/,
  ],
}

t.test('a sound guard passes its kit', async (t) => {
  t.strictSame(await guardFailures({}), [])
})

for (const [name, [create, title]] of Object.entries(faults)) {
  t.test(`the kit of guards notices that ${name.replace(/^it/, 'a guard')}`, async (t) => {
    const failed = await guardFailures({ create, withinMs: 200 })
    t.ok(
      failed.some((one) => title.test(one)),
      `failed: ${failed.join('; ')}`,
    )
  })
}

t.test(
  'the kit of guards notices a stage that is none, and a refusal nobody waits for',
  async (t) => {
    const at = (stage: string) => guardManifest.replace('"auth"', `"${stage}"`)
    const place = /its place is a stage/
    t.match(await guardFailures({ manifest: at('nowhere') }), [place])
    t.match(await guardFailures({ manifest: at('settle') }), [place])
    t.match(await guardFailures({ passes: [] }), [/a request it lets through/])
  },
)

/** Asks a service, and lets everything through where there is no word from it. */
const moderated =
  (open: boolean): Create =>
  ({ fetch }) => ({
    async check({ body }) {
      const request = { method: 'POST', body: textOf(body) }
      const answer = await fetch('https://moderation.example/v1', request).catch((error) => {
        if (!open) throw error
      })
      if (answer?.status === 451) throw new Refusal('access_denied')
    },
  })

t.test('the kit of guards plays the service a guard calls, and its outage', async (t) => {
  const manifest = guardManifest.replace('"entry"', '"hosts":["moderation.example"],"entry"')
  const script: GuardSubject['script'] = ({ body }) => ({
    status: body.includes('forbidden') ? 451 : 200,
  })
  t.strictSame(await guardFailures({ manifest, script, create: moderated(false) }), [])
  const [failed, ...more] = await guardFailures({ manifest, script, create: moderated(true) })
  t.match(failed, /the word: a service that cannot be reached is no way through/)
  t.strictSame(more, [])
  t.not((await guardFailures({ script, create: moderated(false) })).length, 0, 'hosts bound it')
})

t.test('a guard that blocks the thread is late', async (t) => {
  const create = first(() => {
    const until = performance.now() + 60
    while (performance.now() < until);
  })
  const passes = [{ name: 'slow', record: bodyWith('Hello') }]
  const failed = await guardFailures({ create, passes, withinMs: 40 })
  t.ok(failed.includes('slow: the request goes on'), failed.join('; '))
})
