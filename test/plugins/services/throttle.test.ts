import t from 'tap'
import type { Settings } from '../../../kernel/contract/kit.js'
import { noPeers } from '../../../kernel/peers.js'
import { systemClock } from '../../../kernel/schedule/system-clock.js'
import { Refusal } from '../../../kernel/toolkit/errors/refusal.js'
import createRateLimits from '../../../plugins/services/rate-limits/index.js'
import create from '../../../plugins/services/throttle/index.js'
import { documentChecks } from '../../../plugins/services/throttle/rules.js'
import { quietLog } from '../../kit/fakes.js'
import { defaultEnvironment } from '../../kit/gateway.js'

/** A throttle under these options; `change` is an admin's edit. */
async function setup(options: Record<string, unknown>) {
  const defaults = {
    enabled: true,
    minutes: 1,
    total: 0,
    successes: 0,
    byGroup: {},
    byUser: {},
    wholeGroup: {},
    perToken: 0,
  }
  let all: Record<string, unknown> = { ...defaults, ...options }
  let heard = () => {}
  const settings = {
    number: (name: string) => all[name],
    boolean: (name: string) => all[name],
    json: (name: string) => all[name],
    onChange: (listener: () => void) => {
      heard = listener
    },
  } as unknown as Settings
  const rateLimits = createRateLimits({
    settings,
    clock: systemClock,
    log: quietLog,
    services: { system: { environment: defaultEnvironment } as never, peers: noPeers },
  })
  const throttle = create({
    settings,
    clock: systemClock,
    log: quietLog,
    services: { options: { check() {} } as never, 'rate-limits': rateLimits },
  })
  await throttle.start?.()
  return {
    throttle,
    change(next: Record<string, unknown>) {
      all = { ...all, ...next }
      heard()
    },
  }
}

const ada = { userId: 1, userGroup: 'default', tokenId: 11 }
const bob = { userId: 2, userGroup: 'default', tokenId: 21 }
const eve = { userId: 3, userGroup: 'vip', tokenId: 31 }

async function refusalOf(pending: Promise<void> | undefined): Promise<Refusal | undefined> {
  try {
    await pending
    return undefined
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

t.test('[LIMIT-6] relay limits are off by default and cost nothing then', async (t) => {
  const { throttle } = await setup({ enabled: false, total: 1 })
  for (let call = 0; call < 5; call++) t.equal(throttle.admit(ada), undefined)
})

t.test('[LIMIT-6] each user has requests of their own', async (t) => {
  const { throttle } = await setup({ total: 2 })
  await throttle.admit(ada)
  await throttle.admit(ada)
  const refusal = await refusalOf(throttle.admit(ada))
  t.equal(refusal?.code, 'rate_limit_exceeded')
  t.equal(refusal?.status, 429)
  t.equal(await refusalOf(throttle.admit(bob)), undefined)
})

t.test('[LIMIT-1] a refusal states the limit, what is left, and when to come again', async (t) => {
  const { throttle } = await setup({ total: 1, minutes: 2 })
  await throttle.admit(ada)
  const headers = (await refusalOf(throttle.admit(ada)))?.headers ?? {}
  t.match(headers, {
    'x-ratelimit-limit': '1',
    'x-ratelimit-remaining': '0',
    'x-ratelimit-policy': '1;w=120',
  })
  const seconds = Number(headers['retry-after'])
  t.ok(seconds > 100 && seconds <= 120)
  t.equal(headers['x-ratelimit-reset'], headers['retry-after'])
})

t.test('[LIMIT-6] a group has limits of its own, and so has a user by name', async (t) => {
  const { throttle } = await setup({ total: 1, byGroup: { vip: [3, 0] }, byUser: { 2: [2, 0] } })
  const admitted = async (caller: typeof ada) => {
    for (let calls = 0; ; calls++) if (await refusalOf(throttle.admit(caller))) return calls
  }
  t.equal(await admitted(ada), 1)
  t.equal(await admitted(bob), 2)
  t.equal(await admitted(eve), 3)
  const { throttle: both } = await setup({ byGroup: { vip: [3, 0] }, byUser: { 3: [1, 0] } })
  await both.admit(eve)
  t.ok(await refusalOf(both.admit(eve)), 'who is named goes before their group')
})

t.test('[LIMIT-6] all users of a group together, and one API key', async (t) => {
  const { throttle } = await setup({ wholeGroup: { default: 3 }, perToken: 2 })
  await throttle.admit(ada)
  await throttle.admit(ada)
  t.equal((await refusalOf(throttle.admit(ada)))?.headers?.['x-ratelimit-limit'], '2')
  await throttle.admit(bob)
  t.equal((await refusalOf(throttle.admit(bob)))?.headers?.['x-ratelimit-limit'], '3')
  t.equal(await refusalOf(throttle.admit({ userId: 3, userGroup: 'vip' })), undefined)
})

t.test('[LIMIT-6] what a narrower limit refuses is not taken from a wider one', async (t) => {
  const own = await setup({ total: 1, wholeGroup: { default: 2 } })
  await own.throttle.admit(ada)
  for (let call = 0; call < 5; call++) {
    t.equal((await refusalOf(own.throttle.admit(ada)))?.headers?.['x-ratelimit-limit'], '1')
  }
  t.equal(await refusalOf(own.throttle.admit(bob)), undefined, 'the group has one left')

  const keyed = await setup({ total: 2, perToken: 1, wholeGroup: { default: 3 } })
  await keyed.throttle.admit(ada)
  for (let call = 0; call < 5; call++) await refusalOf(keyed.throttle.admit(ada))
  const other = { ...ada, tokenId: 12 }
  t.equal(await refusalOf(keyed.throttle.admit(other)), undefined, 'so has the user')
  t.equal(await refusalOf(keyed.throttle.admit(bob)), undefined, 'and the group')

  const answered = await setup({ successes: 1, total: 2, wholeGroup: { default: 3 } })
  await answered.throttle.admit(ada)
  answered.throttle.succeeded(ada)
  for (let call = 0; call < 5; call++) await refusalOf(answered.throttle.admit(ada))
  t.equal(await refusalOf(answered.throttle.admit(bob)), undefined)
  t.equal(await refusalOf(answered.throttle.admit({ ...bob, userId: 4 })), undefined)
})

t.test('[LIMIT-6] a limit on successes counts answers, not attempts', async (t) => {
  const { throttle } = await setup({ successes: 2 })
  for (let call = 0; call < 10; call++) await throttle.admit(ada)
  throttle.succeeded(ada)
  await throttle.admit(ada)
  throttle.succeeded(ada)
  t.equal((await refusalOf(throttle.admit(ada)))?.code, 'rate_limit_exceeded')
  t.equal(await refusalOf(throttle.admit(bob)), undefined)
})

t.test('an edit is in force at once and keeps what was counted', async (t) => {
  const { throttle, change } = await setup({ total: 5 })
  await throttle.admit(ada)
  await throttle.admit(ada)
  change({ total: 2 })
  t.equal((await refusalOf(throttle.admit(ada)))?.code, 'rate_limit_exceeded')
  change({ enabled: false })
  t.equal(throttle.admit(ada), undefined)
})

t.test('documents of limits are refused by name', (t) => {
  const table: readonly (readonly [string, string, string | undefined])[] = [
    ['ModelRequestRateLimitGroup', '{"vip":[10,5]}', undefined],
    ['ModelRequestRateLimitGroup', '{"vip":[10]}', '"vip"'],
    ['ModelRequestRateLimitGroup', '{"vip":[10,-1]}', '"vip"'],
    ['ModelRequestRateLimitGroup', '{"vip":[1.5,1]}', '"vip"'],
    ['ModelRequestRateLimitGroup', '{"vip":10}', '"vip"'],
    ['ModelRequestRateLimitUser', '{"7":[1,0]}', undefined],
    ['ModelRequestRateLimitUser', '{"ada":[1,0]}', '"ada"'],
    ['ModelRequestRateLimitGroupTotal', '{"vip":100}', undefined],
    ['ModelRequestRateLimitGroupTotal', '{"vip":"many"}', '"vip"'],
  ]
  for (const [option, text, named] of table) {
    const check = () => documentChecks[option]!(text)
    if (named === undefined) t.doesNotThrow(check, `${option} ${text}`)
    else t.throws(check, { code: 'invalid_field', param: option }, `${option} ${text}`)
  }
  t.end()
})
