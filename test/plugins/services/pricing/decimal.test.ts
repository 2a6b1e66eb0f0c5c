import fc from 'fast-check'
import t from 'tap'
import {
  decimal,
  decimalText,
  ratioOf,
  readDecimal,
  roundHalfUp,
  roundUp,
  sumOf,
  times,
} from '../../../../plugins/services/pricing/decimal.js'

t.test('numbers are read from their source text, exactly', async (t) => {
  const rows = [
    ['0.15', 15n, 2],
    ['1e-7', 1n, 7],
    ['37.5', 375n, 1],
    ['1.50', 15n, 1],
    ['1E3', 1000n, 0],
    ['12e-1', 12n, 1],
    ['100', 100n, 0],
    ['0', 0n, 0],
    ['0.000', 0n, 0],
    ['-0', 0n, 0],
    ['0e999999', 0n, 0],
    ['9007199254.740993', 9007199254740993n, 6],
    ['0.30000000000000004', 30000000000000004n, 17],
  ] as const
  for (const [text, units, scale] of rows) t.same(readDecimal(text), { units, scale }, text)
})

t.test('what is no amount is distinguished', async (t) => {
  const rows = [
    ['', 'not a number'],
    ['abc', 'not a number'],
    ['0x10', 'not a number'],
    ['-1', 'negative'],
    ['-1e-9', 'negative'],
    ['1e400', 'not finite'],
    ['1e999999999999', 'not finite'],
    ['1e12', 'too large'],
    [`1${'0'.repeat(80)}`, 'too large'],
    ['1e-25', 'too fine'],
    [`0.${'3'.repeat(80)}`, 'too fine'],
    [`-${'1'.repeat(80)}`, 'negative'],
    ['1'.repeat(400), 'not finite'],
    ['x'.repeat(80), 'not a number'],
  ] as const
  for (const [text, fault] of rows) t.equal(readDecimal(text), fault, text.slice(0, 20))
  t.throws(() => decimal('-1'), RangeError)
})

t.test('products that floats get wrong are exact (M19)', async (t) => {
  const rows = [
    ['4.35', '100', '435'],
    ['19.99', '100', '1999'],
    ['1.1', '1.1', '1.21'],
  ] as const
  for (const [left, right, product] of rows) {
    t.equal(decimalText(times(decimal(left), decimal(right))), product)
  }
  t.not(4.35 * 100, 435, 'which is why no float is used')
  t.equal(decimalText(sumOf([decimal('0.1'), decimal('0.2')])), '0.3')
})

t.test('halves round up, and holds round up from the first fraction', async (t) => {
  const rows = [
    // units scale  half up  up
    [25n, 1, 3n, 3n],
    [24n, 1, 2n, 3n],
    [20n, 1, 2n, 2n],
    [249999n, 5, 2n, 3n],
    [1n, 24, 0n, 1n],
    [0n, 3, 0n, 0n],
    [7n, 0, 7n, 7n],
  ] as const
  for (const [units, scale, half, up] of rows) {
    t.equal(roundHalfUp(units, scale), half)
    t.equal(roundUp(units, scale), up)
  }
})

t.test('a ratio that does not end is cut half up at the decimals requested', async (t) => {
  t.equal(decimalText(ratioOf(decimal('2.5'), decimal('0.3'), 12)), '8.333333333333')
  t.equal(decimalText(ratioOf(decimal('2'), decimal('3'), 12)), '0.666666666667')
  t.equal(decimalText(ratioOf(decimal('10'), decimal('2.5'), 12)), '4')
})

t.test('text and decimal give each other back', async (t) => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n - 1n }), fc.nat(24), (units, scale) => {
      const text = decimalText({ units, scale })
      const again = readDecimal(text)
      t.not(typeof again, 'string')
      if (typeof again === 'string') return
      t.equal(again.units * 10n ** BigInt(24 - again.scale), units * 10n ** BigInt(24 - scale))
    }),
    { numRuns: 200 },
  )
})
