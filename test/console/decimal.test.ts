/** Decimals of the console: figures that are typed, and the arithmetic of bills. */
import t from 'tap'
import {
  type Decimal,
  groupedText,
  over,
  plainText,
  readDecimal,
  rounded,
  shortened,
  significant,
  sumOf,
  times,
  wholeNumber,
} from '../../console/ui/decimal.js'
import { isExactNumber, plainNumber, readFigure } from '../../console/ui/price-entry/figure.js'

const decimal = (text: string): Decimal => readDecimal(text)!

t.test('[BILL-7] a decimal keeps every digit on the way from text to text', async (t) => {
  const cases: readonly (readonly [unknown, string | undefined])[] = [
    [1.1, '1.1'],
    ['1.10', '1.1'],
    ['1.', '1'],
    ['.5', '0.5'],
    [' 2 ', '2'],
    ['1e-7', '0.0000001'],
    ['1e21', '1000000000000000000000'],
    ['0e-99', '0'],
    ['1e65', undefined],
    ['1e-65', undefined],
    ['1e999999999', undefined],
    ['', undefined],
    ['.', undefined],
    ['-1', undefined],
    ['1,5', undefined],
    [null, undefined],
  ]
  for (const [given, shown] of cases) {
    const read = readDecimal(given)
    t.equal(read && plainText(read), shown, JSON.stringify(given))
  }
})

t.test('[BILL-7] a figure is refused where the gateway would not take it', async (t) => {
  t.equal(readFigure('999999999999')?.units, 999_999_999_999n)
  t.equal(readFigure('1000000000000'), undefined)
  t.equal(readFigure(`0.${'0'.repeat(23)}1`)?.scale, 24)
  t.equal(readFigure(`0.${'0'.repeat(24)}1`), undefined)
  t.ok(isExactNumber(decimal('0.1')))
  t.notOk(isExactNumber(decimal('0.12345678901234567891')))
  t.equal(plainNumber(1e-7), '0.0000001')
})

t.test('[BILL-1] sums and products are exact, and halves are rounded up once', async (t) => {
  t.equal(plainText(times(decimal('0.1'), decimal('0.2'))), '0.02')
  t.equal(plainText(sumOf([decimal('0.1'), decimal('0.2'), wholeNumber(3n)])), '3.3')
  t.equal(plainText(sumOf([])), '0')
  t.equal(rounded(decimal('2.5'), 0).units, 3n)
  t.equal(rounded(decimal('2.4999999999999999999'), 0).units, 2n)
  t.equal(plainText(over(wholeNumber(2n), wholeNumber(3n), 6)), '0.666667')
  t.equal(groupedText(decimal('1234567.5'), 2), '1,234,567.50')
  t.equal(groupedText(decimal('1234567.125'), 2), '1,234,567.125')
})

t.test('[BILL-1] prices are shown by their first digits, whole ones in full', async (t) => {
  const shown = (text: string) => plainText(significant(decimal(text), 6))
  t.equal(shown('2.4999999999999'), '2.5')
  t.equal(shown('0.000000123456789'), '0.000000123457')
  t.equal(shown('1234567.89'), '1234568')
})

t.test('[BILL-1] a sum that is shown rounded stays on its side of the half', async (t) => {
  const shown = (text: string) => plainText(shortened(decimal(text), 6))
  t.equal(shown('812.4999999675'), '812.4999999675')
  t.equal(shown('812.3999999675'), '812.4')
  t.equal(shown('812.5'), '812.5')
})
