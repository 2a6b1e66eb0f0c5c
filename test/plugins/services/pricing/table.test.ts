import t from 'tap'
import type { PriceQuery } from '../../../../kernel/contract/line/money.js'
import { tableWith } from './prices.js'

const ask = (over: Partial<PriceQuery> = {}): PriceQuery => ({
  requestedModel: 'm',
  upstreamModel: 'm',
  group: 'default',
  userGroup: 'default',
  ...over,
})

const thousand = { input: 1000 }

t.test(
  '[ROUTE-4] the requested name is priced where it has a price of its own, else the mapped one',
  async (t) => {
    const table = tableWith({ modelRatio: '{"alias":2,"real":1}', freeModels: '["gift"]' })
    const rows = [
      ['alias', 'real', 'alias', 2000n],
      ['other', 'real', 'real', 1000n],
      ['gift', 'real', 'gift', 0n],
    ] as const
    for (const [requestedModel, upstreamModel, model, quota] of rows) {
      const price = table.price(ask({ requestedModel, upstreamModel }))
      t.equal(price?.model, model)
      t.equal(price?.cost(thousand), quota)
      t.equal(price?.explain(thousand).price_model, model)
    }
  },
)

t.test('a model or group without a price has none (M15)', async (t) => {
  const table = tableWith({ modelRatio: '{"m":1}' })
  t.equal(table.price(ask({ requestedModel: 'x', upstreamModel: 'y' })), undefined)
  t.equal(table.price(ask({ group: 'unknown' })), undefined)
  t.equal(table.price(ask({ requestedModel: '', upstreamModel: '' })), undefined)
  t.equal(table.priced('m'), true)
  t.equal(table.priced('x'), false)
  t.equal(tableWith({ freeModels: '["m"]' }).priced('m'), true)
  t.equal(tableWith({ modelPrice: '{"m":0}' }).priced('m'), true)
})

t.test('the group that answers sets the price, and a switch changes it (M17)', async (t) => {
  const table = tableWith({
    modelRatio: '{"m":1}',
    groupRatio: '{"default":1,"vip":0.5,"gratis":0}',
    groupGroupRatio: '{"vip":{"default":0.8,"special":3}}',
  })
  const rows = [
    ['default', 'default', 1000n],
    ['vip', 'default', 500n],
    ['gratis', 'default', 0n],
    ['default', 'vip', 800n],
    ['vip', 'vip', 500n],
    ['special', 'vip', 3000n],
  ] as const
  for (const [group, userGroup, quota] of rows) {
    const price = table.price(ask({ group, userGroup }))
    t.equal(price?.cost(thousand), quota, `${userGroup} in ${group}`)
    t.equal(price?.explain(thousand).price_group, group)
  }
  t.equal(table.price(ask({ group: 'special' })), undefined, 'special only to vip')
  t.equal(table.price(ask({ group: 'gratis' }))?.free, true)
  t.equal(table.price(ask())?.free, false, 'from free to paid there is something to reserve')
})

t.test('a special ratio shows in the snapshot with the group it is for', async (t) => {
  const table = tableWith({
    modelRatio: '{"m":1}',
    groupGroupRatio: '{"vip":{"default":0.8}}',
  })
  const special = table.price(ask({ userGroup: 'vip' }))!.explain(thousand)
  t.match(special, { group_ratio: 0.8, user_group: 'vip', user_group_ratio: 0.8 })
  const plain = table.price(ask())!.explain(thousand)
  t.match(plain, { group_ratio: 1 })
  t.notOk('user_group' in plain)
})

t.test('a price is made once and kept', async (t) => {
  const table = tableWith({ modelRatio: '{"m":1}', groupRatio: '{"default":1,"vip":2}' })
  t.equal(table.price(ask()), table.price(ask({ requestedModel: 'alias' })))
  t.not(table.price(ask()), table.price(ask({ group: 'vip' })))
})

t.test('names are compared after NFC and trim, in any other way exactly (X8)', async (t) => {
  const table = tableWith({ modelRatio: '{" cafe\u0301 ":1}', groupRatio: '{" default":2}' })
  for (const requestedModel of ['caf\u00e9', 'cafe\u0301', ' caf\u00e9']) {
    t.equal(table.price(ask({ requestedModel }))?.cost(thousand), 2000n)
  }
  t.equal(table.price(ask({ requestedModel: 'Caf\u00e9' })), undefined)
  t.strictSame(table.groups, ['default'])
})

t.test('names of the language itself are no prices', async (t) => {
  const table = tableWith({ modelRatio: '{"m":1}' })
  for (const name of ['__proto__', 'constructor', 'toString']) t.equal(table.priced(name), false)
})
