/** Amounts as decimal text: every digit kept, nothing rounded, nothing absurd let through. */
import t from 'tap'
import {
  amountOf,
  amountsIn,
  decimalOf,
  movedDown,
  negated,
  sumOf,
} from '../../../../kernel/toolkit/json/decimal.js'

const plain: readonly (readonly [unknown, string | undefined])[] = [
  ['110.00', '110'],
  ['0.88', '0.88'],
  ['-3.00001', '-3.00001'],
  ['0', '0'],
  ['-0.00', '0'],
  ['007.50', '7.5'],
  ['1e-7', '0.0000001'],
  ['1.5E+3', '1500'],
  ['12.340000000000002', '12.340000000000002'],
  ['999999999999999', '999999999999999'],
  ['9999999999999999', undefined],
  ['0.0000000000000000001', undefined],
  ['1e400', undefined],
  ['1e-99', undefined],
  ['NaN', undefined],
  ['Infinity', undefined],
  ['0x10', undefined],
  ['1,5', undefined],
  ['.5', undefined],
  ['', undefined],
  ['9'.repeat(5000), undefined],
  [1.5, undefined],
  [null, undefined],
  [['1'], undefined],
]

for (const [written, read] of plain) {
  t.equal(decimalOf(written), read, `${JSON.stringify(written)?.slice(0, 40)} is read`)
}

t.test('an amount is never less than nothing', async (t) => {
  t.equal(amountOf('0.1'), '0.1')
  t.equal(amountOf('-0.1'), undefined)
})

t.test('numbers in an answer keep the digits they are written in', async (t) => {
  const text = '{"a": 0.1234567890123456789, "b": -1E-2, "s": "say \\"1.0\\" and \\\\", "l": [12]}'
  t.same(amountsIn(text), {
    a: '0.1234567890123456789',
    b: '-1E-2',
    s: 'say "1.0" and \\',
    l: ['12'],
  })
  for (const none of ['[1]', '1', 'null', '{"a":01}', '{"a":1', '<html>', '']) {
    t.equal(amountsIn(none), undefined, none)
  }
})

t.test('sums are exact', async (t) => {
  t.equal(sumOf('0.1', '0.2'), '0.3')
  t.equal(sumOf('120.5', '-20.345678'), '100.154322')
  t.equal(sumOf('1', '-1.5'), '-0.5')
  t.equal(sumOf('999999999999999', '1'), undefined, 'absurd')
  t.equal(negated('0'), '0')
  t.equal(negated('-1'), '1')
  t.equal(negated('1'), '-1')
  t.equal(movedDown('2034.5678', 2), '20.345678')
  t.equal(movedDown('5', 2), '0.05')
})
