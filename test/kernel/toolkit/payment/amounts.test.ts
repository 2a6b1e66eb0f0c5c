/** Amounts of money in minor units: exact both ways, and nothing that would have to be rounded. */
import t from 'tap'
import {
  currencyDigits,
  decimalAmount,
  minorUnits,
} from '../../../../kernel/toolkit/payment/amounts.js'

t.test('[PAY-1] decimals are exact minor units of their currency, or none', async (t) => {
  const rows: readonly (readonly [string, string, bigint | undefined])[] = [
    ['7.30', 'CNY', 730n],
    ['7.3', 'cny', 730n],
    ['7', 'USD', 700n],
    ['0.01', 'USD', 1n],
    ['0.001', 'USD', undefined],
    ['7.300', 'CNY', 730n],
    ['1050', 'JPY', 1050n],
    ['1050.0', 'JPY', 1050n],
    ['1050.5', 'JPY', undefined],
    ['1.05', 'KWD', 1050n],
    ['1.0505', 'KWD', undefined],
    ['-1', 'USD', undefined],
    ['1e2', 'USD', 10_000n],
    ['1,05', 'USD', undefined],
    ['', 'USD', undefined],
    ['NaN', 'USD', undefined],
    ['99999999999999.99', 'USD', 9_999_999_999_999_999n],
    ['1', 'XYZ', undefined],
    ['1', '__proto__', undefined],
  ]
  for (const [decimal, currency, minor] of rows) {
    t.equal(minorUnits(decimal, currency), minor, `${decimal} ${currency}`)
  }
})

t.test('[PAY-1] minor units are written with every digit of their currency', async (t) => {
  t.equal(decimalAmount(730n, 'CNY'), '7.30')
  t.equal(decimalAmount(5n, 'USD'), '0.05')
  t.equal(decimalAmount(1050n, 'JPY'), '1050')
  t.equal(decimalAmount(1n, 'KWD'), '0.001')
  t.equal(decimalAmount(-730n, 'CNY'), '-7.30')
  t.equal(currencyDigits('jpy'), 0)
  t.throws(() => decimalAmount(1n, 'XYZ'), /no currency/)
})
