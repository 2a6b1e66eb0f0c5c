/** Bank transfer: instructions with number and amount, and nothing a callback could reach. */
import t from 'tap'
import createOffline from '../../../plugins/payments/offline/index.js'
import { gatewayOf, order } from './gateway-fixture.js'

const offline = (settings: object) =>
  gatewayOf({ name: 'offline', create: createOffline, settings: { ...settings } }).gateway

t.test('[SVC-4] the payer reads what to do, with the number and amount of the order', async (t) => {
  const instructions = 'Pay {amount} {currency}, reference **{order}**. {none} $& {order}'
  const gateway = offline({ instructions, currency: 'cny', unitPrice: 7 })
  t.match(gateway.offer(), { currency: 'CNY', unitPrice: '7', amountMin: '1' })
  t.strictSame(await gateway.checkout(order), {
    kind: 'offline',
    instructions: `Pay 70.00 CNY, reference **${order.orderNo}**. {none} $& ${order.orderNo}`,
  })
  t.equal(gateway.verify, undefined)
})

t.test('nothing is offered whose payment nobody could tell from another', async (t) => {
  t.equal(offline({ instructions: 'Pay {amount}.' }).offer(), undefined)
  t.equal(offline({ instructions: '{order}', currency: 'XXY' }).offer(), undefined)
})
