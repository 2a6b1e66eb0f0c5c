/** The meter by itself: one unit of quota a token, a prompt of 10 tokens, and a hold of 500 unless a test states otherwise. */
import t from 'tap'
import type { Price } from '../../../kernel/contract/line/money.js'
import { type CoverRefused, Meter } from '../../../kernel/pipeline/meter.js'
import { limits } from '../../../kernel/toolkit/limits/limits.js'
import { FakeClock } from '../../kit/clock.js'
import { FakeHold, tokenPrice } from '../../kit/fakes.js'
import { opened } from '../../kit/line-fakes.js'

interface Purse {
  /** What the account can pay in all. */
  readonly purse?: bigint
  readonly covered?: bigint
  readonly heldOutput?: number
  readonly price?: Price
}

function metered({ purse = 1_000_000n, covered = 500n, heldOutput = 490, price }: Purse = {}) {
  const clock = new FakeClock()
  const hold = new FakeHold(purse)
  hold.covered = covered
  const heard: (CoverRefused | 'raised' | 'failed')[] = []
  const meter = new Meter(
    opened({ hold, heldOutput, price: price ?? tokenPrice }),
    {
      raised: () => void heard.push('raised'),
      refused: (verdict) => void heard.push(verdict),
      failed: () => void heard.push('failed'),
    },
    clock,
  )
  return { meter, hold, clock, heard }
}

/** Lets promises that are settled already be heard. */
const turn = () => new Promise((resolve) => setImmediate(resolve))

t.test('[BILL-1] up to four fifths of the hold nothing is requested', async (t) => {
  const { meter, hold } = metered()
  for (const tokens of [1, 100, 300, 389]) t.equal(meter.covers(tokens, undefined), true)
  await turn()
  t.same(hold.requests, [])
})

t.test(
  '[BILL-1] from four fifths on the hold grows by a step, and the answer goes on',
  async (t) => {
    const { meter, hold, heard } = metered()
    t.equal(meter.covers(392, undefined), true)
    await turn()
    t.same(hold.requests, [10n + 392n + 1024n])
    t.equal(hold.covered, 1426n)
    t.same(heard, [], 'nothing waited')
  },
)

t.test('[BILL-1] the step grows with the answer', async (t) => {
  const { meter, hold } = metered({ covered: 10_000n, heldOutput: 9990 })
  meter.covers(8000, undefined)
  await turn()
  t.same(hold.requests, [10n + 8000n + 2000n], 'a quarter of what was written')
})

t.test('[BILL-1] a piece beyond the hold waits until it is covered', async (t) => {
  const { meter, hold, heard } = metered()
  t.equal(meter.covers(700, undefined), false)
  t.same(heard, [])
  await turn()
  t.same(heard, ['raised'])
  t.equal(hold.covered, 1734n)
  t.equal(meter.covers(700, undefined), true)
})

t.test('[BILL-1] one request for more is under way at a time', async (t) => {
  const { meter, hold } = metered()
  for (const tokens of [400, 410, 420]) meter.covers(tokens, undefined)
  await turn()
  t.equal(hold.requests.length, 1)
})

t.test(
  '[BILL-1] where a whole step is refused what has arrived is covered exactly (M27)',
  async (t) => {
    const { meter, hold, heard } = metered({ purse: 720n })
    t.equal(meter.covers(700, undefined), false)
    await turn()
    t.same(hold.requests, [1734n, 710n])
    t.same(heard, ['raised'])
    t.equal(meter.covers(700, undefined), true)
  },
)

t.test('[BILL-1] the rest of the hold is used up before an answer is cut (M27)', async (t) => {
  const { meter, hold, heard } = metered({ purse: 500n })
  t.equal(meter.covers(450, undefined), true)
  await turn()
  t.same(heard, [], 'the refused step cuts nothing')
  t.equal(meter.covers(490, undefined), true, 'exactly the hold')
  await turn()
  t.equal(hold.requests.length, 1, 'what is covered is not requested again')
  t.equal(meter.covers(491, undefined), false)
  await turn()
  t.same(heard, ['short'])
})

t.test('[BILL-1] the refusal of a key is distinguished from that of its owner', async (t) => {
  const { meter, hold, heard } = metered()
  hold.cover = async () => 'shortToken'
  meter.covers(700, undefined)
  await turn()
  t.same(heard, ['shortToken'])
})

t.test('[AUTH-2] an owner who has gone ends an answer that waits for nothing yet', async (t) => {
  const { meter, hold, heard } = metered()
  hold.cover = async () => 'gone'
  t.equal(meter.covers(392, undefined), true)
  await turn()
  t.same(heard, ['gone'])
})

t.test('[BILL-1] a database that is away is queried again until the wait is over', async (t) => {
  const { meter, hold, heard, clock } = metered()
  hold.away = true
  meter.covers(700, undefined)
  for (let passed = 0; passed <= limits.coverWaitMs; passed += 100) {
    await turn()
    clock.advance(100)
  }
  await turn()
  t.same(heard, ['unavailable'])
  t.ok(hold.requests.length > 2)
  t.equal(clock.pending, 0)
})

t.test('[BILL-1] a database that comes back in time lets the answer go on', async (t) => {
  const { meter, hold, heard, clock } = metered()
  hold.away = true
  meter.covers(700, undefined)
  await turn()
  hold.away = false
  clock.advance(100)
  await turn()
  t.same(heard, ['raised'])
})

t.test('[BILL-1] a database that is away does not end what the hold covers', async (t) => {
  const { meter, hold, heard, clock } = metered()
  hold.away = true
  t.equal(meter.covers(392, undefined), true)
  for (let passed = 0; passed <= limits.coverWaitMs; passed += 100) {
    await turn()
    clock.advance(100)
  }
  await turn()
  t.same(heard, [])
  hold.away = false
  t.equal(meter.covers(400, undefined), true)
  await turn()
  t.equal(hold.covered, 1434n, 'the next look asks anew')
})

t.test('[BILL-1] a closed meter reports nothing and leaves no timer', async (t) => {
  const { meter, hold, heard, clock } = metered()
  hold.away = true
  meter.covers(700, undefined)
  await turn()
  meter.close()
  await turn()
  t.same(heard, [])
  t.equal(clock.pending, 0)
  meter.covers(5000, undefined)
  await turn()
  t.equal(hold.requests.length, 1)
})

t.test('[BILL-7] what can cost nothing is never covered', async (t) => {
  const { meter, hold } = metered({ covered: 0n, price: { ...tokenPrice, free: true } })
  t.equal(meter.covers(1_000_000, undefined), true)
  t.equal(meter.covers(1_000_000, { input: 5, output: 7 }), true)
  await turn()
  t.same(hold.requests, [])
})

t.test('[BILL-1] the prompt costs nothing before anything was written', (t) => {
  const { meter } = metered()
  t.equal(meter.cost(0), 0n)
  t.equal(meter.cost(1), 11n)
  t.end()
})

t.test(
  '[FMT-3] counts of the upstream take the place of the estimate where they are higher',
  async (t) => {
    const { meter, hold } = metered()
    t.equal(meter.covers(20, { input: 100, output: 200 }), true)
    t.equal(meter.cost(20), 300n)
    t.equal(meter.cost(250), 350n, 'what was written since counts')
    t.equal(meter.covers(21, { input: 100, output: 350 }), true)
    await turn()
    t.same(hold.requests, [100n + 350n + 1024n], 'four fifths are reached by the reported counts')
  },
)

t.test('[FMT-3] a reported prompt beyond the hold makes the answer wait', async (t) => {
  const { meter, heard } = metered({ purse: 500n })
  t.equal(meter.covers(5, { input: 600, output: 1 }), false)
  await turn()
  t.same(heard, ['short'])
})

t.test('[BILL-1] a price that grows in leaps is looked at where it leaps', async (t) => {
  const leaping: Price = {
    ...tokenPrice,
    cost: ({ output = 0 }) => (output < 450 ? 1n : 100_000n),
    hold: ({ output = 0 }) => (output < 450 ? 1n : 100_000n),
  }
  const { meter, hold } = metered({ price: leaping })
  t.equal(meter.covers(395, undefined), true)
  t.equal(meter.covers(449, undefined), true)
  await turn()
  t.same(hold.requests, [])
  t.equal(meter.covers(450, undefined), false)
})

t.test('[BILL-1] the price is queried only where the hold may end, not for each piece', (t) => {
  let looks = 0
  const counted: Price = {
    ...tokenPrice,
    cost: (usage) => {
      looks += 1
      return tokenPrice.cost(usage)
    },
  }
  const { meter } = metered({ covered: 100_000n, heldOutput: 1000, price: counted })
  meter.covers(800, undefined)
  const first = looks
  for (let tokens = 801; tokens < 79_000; tokens += 100) meter.covers(tokens, undefined)
  t.equal(looks, first)
  t.end()
})

t.test('[BILL-1] a price that cannot be computed is reported', async (t) => {
  const broken: Price = {
    ...tokenPrice,
    cost: () => {
      if (hold.requests.length > 0) throw new RangeError('not finite')
      return 700n
    },
  }
  const { meter, hold, heard } = metered({ price: broken })
  meter.covers(700, undefined)
  await turn()
  t.same(heard, ['failed'])
})
