/** What may stand on receipts: billing details of users, and the options of who sells. */
import t from 'tap'
import { receiptsFixture } from './receipts-fixture.js'

const { receipts, rules, person, database } = await receiptsFixture(t)
const none = { name: '', address: '', taxId: '' }

t.test('billing details are kept as one would read them', async (t) => {
  const { userId } = await person('ada')
  t.strictSame(await receipts.billing(userId), none)
  const given = { name: ' Ada  Ltd. ', address: '\n Street 1\t\r\nTown \n\n', taxId: 'A\u030A1' }
  const kept = { name: 'Ada  Ltd.', address: 'Street 1\nTown', taxId: 'Å1' }
  t.strictSame(await receipts.setBilling(userId, given), kept)
  t.strictSame(await receipts.billing(userId), kept)
  await receipts.setBilling(userId, none)
  t.strictSame(await receipts.billing(userId), none)
})

const odd: readonly (readonly [field: string, details: object, fault: RegExp])[] = [
  ['name', { name: 'x'.repeat(121) }, /at most 120 characters/],
  ['name', { name: 'a\nb' }, /one line/],
  ['name', { name: 'a\u0000' }, /can be seen/],
  ['name', { name: 'a\u202egpj' }, /can be seen/],
  ['name', { name: 'a\u200bb' }, /can be seen/],
  ['name', { name: 'a\ud800' }, /can be seen/],
  ['tax_id', { taxId: 'x'.repeat(61) }, /at most 60/],
  ['tax_id', { taxId: '\u2066x' }, /can be seen/],
  ['address', { address: 'a\n'.repeat(9).trim() }, /at most 8 lines/],
  ['address', { address: 'x'.repeat(101) }, /at most 100 characters in a line/],
  ['address', { address: 'a\u0000b' }, /can be seen/],
  ['address', { address: 'a\nb\u2069' }, /can be seen/],
]

for (const [param, details, reason] of odd) {
  t.test(`billing details are refused: ${JSON.stringify(details).slice(0, 40)}`, async (t) => {
    const { userId } = await person('bea')
    await t.rejects(receipts.setBilling(userId, { ...none, ...details }), {
      ...{ code: 'invalid_field', param, message: reason },
    })
    t.strictSame(await receipts.billing(userId), none)
  })
}

t.test('options are held to what a receipt can show', async (t) => {
  const key = (name: string) => `payment_setting.receipt_${name}`
  const rows: readonly (readonly [option: string, text: string, fits: boolean])[] = [
    ['prefix', '', true],
    ['prefix', 'R-', true],
    ['prefix', '2026-A-', true],
    ['prefix', 'ABCDEFGHIJKLMNO-', true],
    ['prefix', 'ABCDEFGHIJKLMNOP-', false],
    ['prefix', 'R-1', false],
    ['prefix', 'R 1-', false],
    ['prefix', 'É-', false],
    ['prefix', 'R/', false],
    ['prefix', 'R-\n', false],
    ['prefix', 'test-', false],
    ['seller_name', 'Acme GmbH', true],
    ['seller_name', '北京某某科技有限公司', true],
    ['seller_name', 'a\nb', false],
    ['seller_name', 'x'.repeat(121), false],
    ['seller_address', 'One\r\nTwo', true],
    ['seller_address', `${'a\n'.repeat(8)}a`, false],
    ['seller_tax_id', 'DE 123', true],
    ['seller_tax_id', 'x'.repeat(61), false],
    ['seller_contact', 'x'.repeat(200), true],
    ['seller_contact', 'x\u202e', false],
    ['tax_note', 'x'.repeat(401), false],
    ['note', 'One\n\nTwo', true],
    ['note', `${'a\n'.repeat(60)}a`, false],
    ['note', 'a\u0007', false],
  ]
  for (const [option, text, fits] of rows) {
    const check = () => rules.get(key(option))!(text)
    const about = `${option} ${JSON.stringify(text).slice(0, 30)}`
    if (fits) t.doesNotThrow(check, about)
    else t.throws(check, { code: 'invalid_field', param: key(option) }, about)
  }
})

t.test('the row of a user is one, whoever writes it when', async (t) => {
  const { userId } = await person('cy')
  const names = ['one', 'two', 'three', 'four']
  await Promise.all(names.map((name) => receipts.setBilling(userId, { ...none, name })))
  const rows = await database.knex('billing_details').where('user_id', userId)
  t.equal(rows.length, 1)
})
