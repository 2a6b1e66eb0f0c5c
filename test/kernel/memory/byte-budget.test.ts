import t from 'tap'
import {
  ByteBudget,
  type ByteShare,
  defaultBudgetBytes,
  wholeForAll,
} from '../../../kernel/memory/byte-budget.js'

const MiB = 1024 * 1024
const KiB = 1024

t.test('[SVC-1] the larger a body, the sooner there is no room for it', async (t) => {
  const budget = new ByteBudget(80 * MiB)
  const held = [1, 2, 3].map((userId) => budget.share({ userId }))
  for (const share of held) t.ok(share.reach(20 * MiB))
  t.notOk(budget.share({ userId: 4 }).reach(MiB * 5), 'above three quarters')
  const middle = budget.share({ userId: 5 })
  t.ok(middle.reach(4 * MiB))
  t.ok(budget.share({ userId: 6 }).reach(4 * MiB))
  t.notOk(budget.share({ userId: 7 }).reach(4 * MiB), 'above seven eighths')
  for (let at = 0; at < 40; at++) t.ok(budget.share({ userId: 8 + at }).reach(256 * KiB))
  t.ok(budget.held <= budget.totalBytes)
  t.equal(budget.largestBytes, 60 * MiB)
})

t.test('[SVC-1] one address or user holds half at most, unless it is by one body', async (t) => {
  const budget = new ByteBudget(80 * MiB)
  const one = budget.share({ address: 'a', userId: 1 })
  t.ok(one.reach(50 * MiB), 'one body alone')
  t.notOk(budget.share({ address: 'a', userId: 2 }).reach(KiB), 'the same address')
  t.notOk(budget.share({ address: 'b', userId: 1 }).reach(KiB), 'the same user')
  t.ok(budget.share({ address: 'b', userId: 2 }).reach(KiB))
  one.release()
  t.notOk(one.reach(1), 'what is given back is over')
  t.ok(budget.share({ address: 'a', userId: 1 }).reach(KiB))
})

t.test('[SVC-1] whatever is taken and given back, the sums are right in the end', async (t) => {
  let seed = 11
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff
    return seed % below
  }
  const budget = new ByteBudget(64 * MiB)
  const shares: ByteShare[] = []
  for (let round = 0; round < 5_000; round++) {
    const share = shares[random(shares.length + 1)]
    if (share === undefined || random(8) === 0) {
      shares.push(budget.share({ address: `a${random(5)}`, userId: random(5) }))
    } else if (random(3) === 0) {
      share.release()
      shares.splice(shares.indexOf(share), 1)
    } else if (random(4) < 1) {
      share.keep(random(MiB))
    } else {
      share.add(random(2 * MiB))
    }
    const sum = shares.reduce((bytes, one) => bytes + one.held, 0)
    if (budget.held !== sum || sum > budget.totalBytes) t.fail(`round ${round}`)
  }
  for (const share of shares) share.release()
  t.equal(budget.held, 0)
  t.ok(budget.share({ address: 'a1', userId: 1 }).reach(40 * MiB), 'nobody is held to account')
})

t.test('[SVC-1] who waits for room gets it in the order they came', async (t) => {
  const budget = new ByteBudget(80 * MiB)
  const first = budget.share({ userId: 1 })
  t.ok(first.reach(50 * MiB))
  const served: number[] = []
  const waiting = [2, 3, 4].map((userId) => {
    const share = budget.share({ userId })
    share.reachInTurn(userId === 3 ? 5 * MiB : 20 * MiB, () => served.push(userId))
    return share
  })
  t.strictSame(served, [], 'nor the one there would be room for')
  t.notOk(budget.share({ userId: 5 }).reach(5 * MiB), 'who is large and comes later')
  t.ok(budget.share({ userId: 5 }).reach(4 * MiB), 'smaller ones do not wait')
  first.keep(10 * MiB)
  t.strictSame(served, [2, 3, 4])
  t.strictSame(
    waiting.map(({ held }) => held),
    [20 * MiB, 5 * MiB, 20 * MiB],
  )
  t.ok(budget.share({ userId: 6 }).reach(MiB))
  t.ok(budget.held <= budget.totalBytes)
})

t.test('[SVC-1] who waits for what its own user may hold keeps nobody else', async (t) => {
  const budget = new ByteBudget(80 * MiB)
  const own = budget.share({ userId: 1 })
  t.ok(own.reach(30 * MiB))
  let served = 0
  const second = budget.share({ userId: 1 })
  second.reachInTurn(20 * MiB, () => {
    served += 1
  })
  t.ok(budget.share({ userId: 2 }).reach(10 * MiB))
  budget.share({ userId: 3 }).reachInTurn(10 * MiB, () => {
    served += 10
  })
  t.equal(served, 10)
  own.release()
  t.equal(served, 11)
})

t.test(
  '[SVC-1] who does not wait any more is served nothing, and is in nobody’s way',
  async (t) => {
    const budget = new ByteBudget(80 * MiB)
    const first = budget.share({ userId: 1 })
    first.reach(50 * MiB)
    const served: string[] = []
    const shares = ['a', 'b', 'c'].map((address) => {
      const share = budget.share({ address })
      share.reachInTurn(address === 'c' ? 10 * MiB : 20 * MiB, () => served.push(address))
      return share
    })
    shares[0]?.release()
    t.strictSame(served, [])
    shares[1]?.withdraw()
    t.strictSame(served, ['c'], 'the next in the row')
    shares[1]?.reachInTurn(20 * MiB, () => served.push('b'))
    first.release()
    t.strictSame(served, ['c', 'b'])
    for (const share of shares) share.release()
    t.equal(budget.held, 0)
  },
)

t.test('[SVC-1] a budget may be for bodies of any size', async (t) => {
  const budget = new ByteBudget(80 * MiB, wholeForAll)
  t.ok(budget.share({ userId: 1 }).reach(40 * MiB))
  t.ok(budget.share({ userId: 2 }).reach(40 * MiB))
  t.equal(budget.largestBytes, 80 * MiB)
})

t.test('[SVC-1] without a word there is room by the memory there is', async (t) => {
  t.ok(defaultBudgetBytes() >= 64 * MiB)
})
