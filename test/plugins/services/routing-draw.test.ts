/** Chance inside a tier: shares follow the weights, whatever is out, and the cost does not follow the size. */
import t from 'tap'
import type { Channel } from '../../../kernel/contract/line/channel.js'
import type { Sieve } from '../../../plugins/services/routing/channel-pool.js'
import { keyChoice } from '../../../plugins/services/routing/key-choice.js'
import { tierDraw } from '../../../plugins/services/routing/tier-draw.js'
import { channel } from '../../kit/line-fakes.js'

const draws = 100_000

/** The same numbers every time. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const tier = (weights: readonly number[]): readonly Channel[] =>
  weights.map((weight, index) => channel(index + 1, { weight }))

const sieveOf = (fits: Sieve['fits']): Sieve => ({
  fits,
  wasTried: () => false,
  kind: 'chat',
  looks: 0,
})

const without = (...ids: readonly number[]): Sieve => sieveOf(({ id }) => !ids.includes(id))

/** Time that stands still unless a test moves it. */
const still = () => 0

function counted(pick: () => number | undefined): ReadonlyMap<number, number> {
  const counts = new Map<number, number>()
  for (let drawn = 0; drawn < draws; drawn++) {
    const id = pick() ?? 0
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  return counts
}

/** Whether the counts fit the shares, but for a chance of 1 in 1,000 (Wilson and Hilferty's approximation). */
function fits(counts: ReadonlyMap<number, number>, shares: ReadonlyMap<number, number>): boolean {
  const total = [...shares.values()].reduce((sum, share) => sum + share, 0)
  let chi2 = 0
  for (const [id, share] of shares) {
    const expected = (draws * share) / total
    chi2 += ((counts.get(id) ?? 0) - expected) ** 2 / expected
  }
  const freedom = Math.max(shares.size - 1, 1)
  const spread = 2 / (9 * freedom)
  const critical = freedom * (1 - spread + 3.09 * Math.sqrt(spread)) ** 3
  return [...counts.keys()].every((id) => shares.has(id)) && chi2 < critical
}

const shares = (weights: readonly number[], out: readonly number[] = []) =>
  new Map(
    weights.flatMap((weight, index) =>
      weight > 0 && !out.includes(index + 1) ? [[index + 1, weight] as const] : [],
    ),
  )

t.test('[ROUTE-2] inside a tier the share of a channel is its weight', (t) => {
  const many = Array.from({ length: 500 }, (_, index) => 1 + (index % 7))
  const rows = [
    ['two', [3, 1], []],
    ['three, one standing by', [3, 1, 0], []],
    ['many', many, []],
    ['one out', [5, 3, 2, 1], [1]],
    ['most of the weight out', [1_000, 4, 3, 2, 1], [1]],
    ['all but two out', [5, 1, 3, 1, 1, 1, 1, 1, 1, 1, 1, 2], [1, 2, 4, 5, 6, 7, 8, 9, 10, 11]],
    ['half of many out', many, Array.from({ length: 250 }, (_, index) => 2 * index + 1)],
  ] as const
  for (const [name, weights, out] of rows) {
    const draw = tierDraw(seeded(7), still)
    const channels = tier(weights)
    const sieve = without(...out)
    const counts = counted(() => draw(channels, sieve)?.id)
    t.ok(fits(counts, shares(weights, out)), name)
  }
  t.end()
})

t.test('the test of shares finds shares that are off', (t) => {
  const draw = tierDraw(seeded(7), still)
  const channels = tier([3, 1])
  const counts = counted(() => draw(channels, without())?.id)
  t.notOk(fits(counts, shares([3.2, 1])))
  t.notOk(fits(counts, shares([3])))
  t.end()
})

t.test(
  '[ROUTE-2] a weight of 0 stands by until no weighted channel is left, then shares evenly',
  (t) => {
    const draw = tierDraw(seeded(11), still)
    const mixed = tier([5, 0, 0])
    t.ok(
      fits(
        counted(() => draw(mixed, without())?.id),
        new Map([[1, 1]]),
      ),
    )
    const even = new Map([
      [2, 1],
      [3, 1],
    ])
    t.ok(
      fits(
        counted(() => draw(mixed, without(1))?.id),
        even,
      ),
    )
    const none = tier([0, 0, 0, 0])
    t.ok(
      fits(
        counted(() => draw(none, without(1, 4))?.id),
        even,
      ),
    )
    t.equal(draw(mixed, without(1, 2, 3)), undefined)
    t.equal(draw([], without()), undefined)
    t.end()
  },
)

t.test('the ends of chance stay inside the tier, and never hit a channel without weight', (t) => {
  const almostOne = 1 - Number.EPSILON / 2
  const channels = tier([0, 2, 0, 3, 0])
  t.equal(tierDraw(() => 0, still)(channels, without())?.id, 2)
  t.equal(tierDraw(() => almostOne, still)(channels, without())?.id, 4)
  t.equal(tierDraw(() => almostOne, still)(tier([0, 0]), without())?.id, 2)
  t.equal(
    tierDraw(() => 0.75, still)(tier([3, 1]), without())?.id,
    2,
    'a share begins where one ends',
  )
  t.end()
})

t.test('of ten thousand channels only a few are looked at, until hardly any can be taken', (t) => {
  const channels = tier(Array(10_000).fill(1))
  const draw = tierDraw(seeded(3), still)
  let looked = 0
  const sieve = sieveOf(({ id }) => {
    looked += 1
    return id % 10 >= 3
  })
  for (let pick = 0; pick < 1_000; pick++) draw(channels, sieve)
  // Three of ten are out: a pick looks at 1.43 on average.
  t.ok(looked < 2_000, 'a third out')
  t.equal(
    draw(
      channels,
      sieveOf(({ id }) => id === 9_999),
    )?.id,
    9_999,
    'the last one left',
  )
  t.end()
})

/** A tier most of which is out, and how many keys were queried about. */
function outage(size: number, back: ReadonlySet<number>, kind = 'chat') {
  const channels = tier(Array.from({ length: size }, (_, index) => 1 + (index % 7)))
  const counted = { ...sieveOf(() => false), kind, looks: 0, tried: new Set<number>() }
  const sieve: Sieve = Object.assign(counted, {
    fits({ id }: Channel) {
      counted.looks += 1
      return back.has(id)
    },
    wasTried: ({ id }: Channel) => counted.tried.has(id),
  })
  return { channels, sieve, counted }
}

t.test('[ROUTE-2] the few left of a large tier keep their shares, and are found at once', (t) => {
  const ids = [3, 500, 1_000, 2_222, 2_999]
  const { channels, sieve, counted: request } = outage(3_000, new Set(ids))
  const draw = tierDraw(seeded(13), still)
  const counts = counted(() => draw(channels, sieve)?.id)
  t.ok(fits(counts, new Map(ids.map((id) => [id, 1 + ((id - 1) % 7)]))))
  t.ok(request.looks < 3 * draws, `looked at ${request.looks}`)
  request.tried.add(3).add(500)
  const others = counted(() => draw(channels, sieve)?.id)
  const left = ids.slice(2)
  t.ok(fits(others, new Map(left.map((id) => [id, 1 + ((id - 1) % 7)]))), 'what was tried is not')
  for (const id of left) request.tried.add(id)
  t.equal(draw(channels, sieve), undefined)
  t.end()
})

t.test('an outage of thousands is found out once in a while, and its end soon', (t) => {
  const back = new Set<number>()
  const { channels, sieve, counted } = outage(10_000, back)
  let now = 0
  const draw = tierDraw(seeded(17), () => now)
  for (let pick = 0; pick < 10_000; pick++) draw(channels, sieve)
  t.ok(counted.looks <= 10_000 + 8, `looked at ${counted.looks}`)
  back.add(7_777)
  t.equal(draw(channels, sieve), undefined)
  t.equal(draw(channels, outage(1, back, 'other').sieve)?.id, 7_777, 'for another kind it is open')
  now = 250
  t.equal(draw(channels, sieve)?.id, 7_777)
  back.delete(7_777)
  t.equal(draw(channels, sieve), undefined, 'who was remembered is queried again')
  t.end()
})

t.test(
  'who comes back waits for the moment to end, however often the few left are queried',
  (t) => {
    const few = Array.from({ length: 100 }, (_, index) => 50 * index + 25)
    const back = new Set(few)
    const { channels, sieve } = outage(5_000, back)
    let now = 0
    // Never a channel of the few, so that all are looked at.
    const draw = tierDraw(
      () => 0.5,
      () => now,
    )
    t.ok(draw(channels, sieve))
    now = 200
    for (const id of few) back.delete(id)
    t.equal(draw(channels, sieve), undefined)
    back.add(4_000)
    t.equal(draw(channels, sieve), undefined)
    now = 250
    t.equal(draw(channels, sieve)?.id, 4_000)
    t.end()
  },
)

t.test('however many tiers are out, looking through them has its bound', (t) => {
  const back = new Set<number>()
  const { sieve, counted } = outage(1, back)
  const tiers = Array.from({ length: 40 }, () => tier(Array(5_000).fill(1)))
  let now = 0
  const draw = tierDraw(seeded(19), () => now)
  for (const one of tiers) draw(one, sieve)
  // What was saved up and one tier more, then 8 and 64 draws of each.
  t.ok(counted.looks < 20_000 + 5_000 + 40 * 72, `looked at ${counted.looks}`)
  counted.looks = 0
  for (let round = 0; round < 10; round++) for (const one of tiers) draw(one, sieve)
  t.ok(counted.looks < 10 * 40 * 72, `looked at ${counted.looks}`)
  back.add(4_321)
  let found = 0
  for (const one of tiers) {
    now += 1_000
    found += draw(one, sieve)?.id === 4_321 ? 1 : 0
  }
  t.equal(found, tiers.length, 'and with time to spare every one is found')
  t.end()
})

t.test('small tiers are queried anew each time', (t) => {
  const back = new Set<number>()
  const { channels, sieve } = outage(20, back)
  const draw = tierDraw(seeded(23), still)
  t.equal(draw(channels, sieve), undefined)
  back.add(9)
  t.equal(draw(channels, sieve)?.id, 9)
  t.end()
})

const key = (id: number, enabled = true) => ({ id, text: `key ${id}`, enabled })
const anyKey = { takesKey: (_: Channel, { enabled }: { readonly enabled: boolean }) => enabled }

t.test('several keys share evenly among those that are on', (t) => {
  const choose = keyChoice(seeded(5))
  const several = channel(1, { keys: [key(1), key(2, false), key(3), key(4)] })
  const even = new Map([
    [1, 1],
    [3, 1],
    [4, 1],
  ])
  t.ok(
    fits(
      counted(() => choose(several, anyKey)?.id),
      even,
    ),
  )
  t.equal(choose(channel(1, { keys: [] }), anyKey), undefined)
  t.equal(choose(channel(1, { keys: [key(1, false)] }), anyKey), undefined)
  t.equal(choose(channel(1, { keys: [key(1, false), key(2, false)] }), anyKey), undefined)
  t.end()
})

t.test('where hardly any of hundreds of keys can be used, those share evenly too', (t) => {
  const choose = keyChoice(seeded(7))
  const on = new Set([3, 57, 118])
  const keys = Array.from({ length: 120 }, (_, index) => key(index + 1, on.has(index + 1)))
  const many = channel(1, { keys })
  const even = new Map([...on].map((id) => [id, 1]))
  t.ok(
    fits(
      counted(() => choose(many, anyKey)?.id),
      even,
    ),
  )
  t.end()
})

t.test('of hundreds of keys a few are queried, until hardly any can be used', (t) => {
  let requestCount = 0
  const sieve = (on: (id: number) => boolean) => ({
    takesKey(_: Channel, { id }: { readonly id: number }) {
      requestCount += 1
      return on(id)
    },
  })
  const keys = Array.from({ length: 500 }, (_, index) => key(index + 1))
  for (const keyMode of ['random', 'polling'] as const) {
    const choose = keyChoice(seeded(5))
    const many = channel(1, { keys, keyMode })
    requestCount = 0
    for (let pick = 0; pick < 1_000; pick++)
      choose(
        many,
        sieve(() => true),
      )
    t.ok(requestCount <= 1_000, keyMode)
    t.equal(
      choose(
        many,
        sieve((id) => id === 499),
      )?.id,
      499,
    )
    t.equal(
      choose(
        many,
        sieve(() => false),
      ),
      undefined,
    )
  }
  t.end()
})

t.test('polling goes round the keys, and goes on where it was when the channel is edited', (t) => {
  const choose = keyChoice(seeded(5))
  const over = { keyMode: 'polling' as const }
  const before = channel(1, { ...over, keys: [key(4), key(7, false), key(9), key(12)] })
  const turn = (of: Channel) => choose(of, anyKey)?.id
  t.same([turn(before), turn(before), turn(before), turn(before)], [4, 9, 12, 4])
  const other = channel(2, { ...over, keys: [key(20), key(21)] })
  t.equal(turn(other), 20, 'each channel has its own round')
  const edited = channel(1, { ...over, keys: [key(7), key(9), key(12)], weight: 3 })
  t.same([turn(edited), turn(edited), turn(edited), turn(edited)], [7, 9, 12, 7])
  t.equal(turn(channel(1, { ...over, keys: [key(1), key(2)] })), 1, 'behind the last: from the top')
  t.end()
})
