/**
 * Random interleavings over a few wallets and tokens, against a model of a page: no more admitted,
 * nothing lost, books right.
 */
import fc from 'fast-check'
import type { Hold } from '../../../../kernel/contract/line/money.js'
import { type Books, cost, draft, failed, ledgerTest, nextId, type Person } from './books.js'

interface Step {
  readonly what: 'cover' | 'close' | 'release' | 'mark' | 'post'
  readonly slot: number
  readonly person: number
  readonly quota: number
}

const step: fc.Arbitrary<Step> = fc.record({
  what: fc.constantFrom('cover', 'cover', 'cover', 'close', 'release', 'mark', 'post'),
  slot: fc.nat({ max: 7 }),
  person: fc.nat({ max: 2 }),
  quota: fc.integer({ min: 0, max: 120 }),
})
const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 12 }), { maxLength: 8 })

ledgerTest(
  '[BILL-1] one after the other, every step answers as the model does',
  async (t, books) => {
    const property = fc.asyncProperty(rounds, async (plan) => {
      const world = await newWorld(books)
      for (const each of plan.flat()) {
        t.equal(await act(books, world, each), expected(world.model, each), JSON.stringify(each))
      }
      await t.resolves(compare(books, world))
      await end(world)
    })
    await fc.assert(property, { numRuns: 15, endOnFailure: true })
  },
)

ledgerTest(
  '[BILL-1] (M1) all at once, nobody spends past a wallet or a cap and the books are right',
  async (t, books) => {
    const property = fc.asyncProperty(rounds, async (plan) => {
      const world = await newWorld(books)
      for (const round of plan) {
        await Promise.all(round.map((each) => act(books, world, each)))
        for (const { accountId, tokenId } of world.people) {
          const state = await books.row(
            `SELECT a.held, a.posted - a.held + coalesce((
             SELECT sum(shortfall) FROM billing_requests WHERE funding_account = a.id), 0) AS room,
             t.held AS token_held, t.limit_quota - t.held - t.used AS token_room
           FROM accounts a, tokens t WHERE a.id = ? AND t.id = ?`,
            accountId,
            tokenId,
          )
          t.ok(Number(state.room) >= 0, 'below zero only by what is recorded')
          t.equal(state.held, state.token_held)
        }
        t.strictSame(await books.ledger.check(), [])
      }
      await end(world)
    })
    await fc.assert(property, { numRuns: 10, endOnFailure: true })
  },
)

interface World {
  readonly people: readonly Person[]
  readonly slots: (Slot | undefined)[]
  readonly model: Model
}

interface Slot {
  readonly hold: Hold
  readonly person: number
}

interface Model {
  readonly posted: bigint[]
  readonly used: bigint[]
  readonly holds: ({ person: number; held: bigint; open: boolean } | undefined)[]
}

const opening = 300n
const cap = 400n

async function newWorld(books: Books): Promise<World> {
  const people = [
    await books.person(opening, cap),
    await books.person(opening, cap),
    await books.person(opening, cap),
  ]
  return {
    people,
    slots: [],
    model: { posted: [opening, opening, opening], used: [0n, 0n, 0n], holds: [] },
  }
}

/** A slot is a request of whoever used it first, until it is closed. */
async function act(
  books: Books,
  world: World,
  { what, slot, person, quota }: Step,
): Promise<string> {
  const owner = world.people[person]!
  if (what === 'post') {
    const requestId = nextId()
    const { verdict } = await books.ledger.post({
      key: `admin:${requestId}`,
      kind: 'admin',
      userId: owner.userId,
      amount: BigInt(quota) - 60n,
      requestId,
      note: '',
    })
    return verdict
  }
  if (what === 'cover') {
    world.slots[slot] ??= { hold: books.hold(owner), person }
    return world.slots[slot].hold.cover(BigInt(quota), draft)
  }
  const taken = world.slots[slot]
  if (!taken) return 'empty'
  if (what === 'mark') {
    taken.hold.follow(() => BigInt(quota))
    await books.run('ledger.mark')
    await books.ledger.flushed()
    return 'marked'
  }
  const closing = what === 'close' ? cost(BigInt(quota)) : failed
  world.slots[slot] = undefined
  return (await taken.hold.close(closing)).state
}

function expected(model: Model, { what, slot, person, quota: given }: Step): string {
  const quota = BigInt(given)
  const held = (of: number) =>
    model.holds.reduce((sum, hold) => (hold?.person === of ? sum + hold.held : sum), 0n)
  if (what === 'post') {
    const amount = quota - 60n
    if (amount < 0n && model.posted[person]! - held(person) + amount < 0n) return 'short'
    model.posted[person]! += amount
    return 'posted'
  }
  if (what === 'cover') {
    model.holds[slot] ??= { person, held: 0n, open: false }
    const hold = model.holds[slot]
    const more = quota > hold.held ? quota - hold.held : 0n
    if (more > 0n && model.used[hold.person]! + held(hold.person) + more > cap) return 'shortToken'
    if (more > 0n && model.posted[hold.person]! - held(hold.person) < more) return 'short'
    hold.held += more
    hold.open = true
    return 'ok'
  }
  const hold = model.holds[slot]
  if (!hold) return 'empty'
  if (what === 'mark') return 'marked'
  model.holds[slot] = undefined
  if (!hold.open) return 'none'
  if (what === 'release') return 'released'
  model.posted[hold.person]! -= quota
  model.used[hold.person]! += quota
  return 'settled'
}

async function compare(books: Books, { people, model }: World): Promise<void> {
  for (const [at, { accountId, tokenId }] of people.entries()) {
    const { posted, used } = await books.row(
      'SELECT a.posted, t.used FROM accounts a, tokens t WHERE a.id = ? AND t.id = ?',
      accountId,
      tokenId,
    )
    if (posted !== model.posted[at] || used !== model.used[at]) {
      throw new Error(`person ${at}: ${posted} and ${used}, the model says ${model.posted[at]}`)
    }
  }
}

async function end({ slots }: World): Promise<void> {
  await Promise.all(slots.map((slot) => slot?.hold.close(failed)))
}
