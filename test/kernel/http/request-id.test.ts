import t from 'tap'
import { createRequestIds } from '../../../kernel/http/request-id.js'

t.test('an id is req_ and 26 characters of Crockford base32', async (t) => {
  const mint = createRequestIds(() => 1_763_700_000_000)
  t.match(mint(), /^req_[0-9A-HJKMNP-TV-Z]{26}$/)
})

t.test('its first ten characters are the time, readable back', async (t) => {
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  for (const ms of [0, 1, 1_763_700_123_456, 2 ** 48 - 1]) {
    const id = createRequestIds(() => ms)()
    const read = [...id.slice(4, 14)].reduce((sum, char) => sum * 32 + alphabet.indexOf(char), 0)
    t.equal(read, ms)
  }
})

t.test('ids sort in the order they were minted, also when the clock steps back', async (t) => {
  const times = [5, 5, 5, 6, 4, 4, 7].map((ms) => 1_763_700_000_000 + ms)
  const mint = createRequestIds(() => times.shift()!)
  const ids = Array.from({ length: 7 }, mint)
  t.strictSame([...ids].sort(), ids)
})

t.test('100,000 ids of one millisecond are different and in order', async (t) => {
  const mint = createRequestIds(() => 1_763_700_000_000)
  const ids = Array.from({ length: 100_000 }, mint)
  t.equal(new Set(ids).size, ids.length)
  t.ok(ids.every((id, index) => index === 0 || ids[index - 1]! < id))
})

t.test('two processes do not mint the same id in the same millisecond', async (t) => {
  t.not(createRequestIds(() => 1)(), createRequestIds(() => 1)())
})
