/** Routes of who buys: prices, orders, and their own list. */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import type { Database } from '../../../kernel/contract/services/database.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { decimalAmount } from '../../../kernel/toolkit/payment/index.js'
import type {
  Payer,
  Payments,
  Placed,
  PlaceRequest,
  PriceRequest,
} from '../../services/payments/index.js'
import type { BuyForm, PlaceForm } from './forms.js'
import { orderRecord } from './records.js'

export interface BuyingDependencies {
  readonly payments: Payments
  readonly database: Pick<Database, 'knex'>
}

type Buying = ManagementRequest<unknown, BuyForm>

export function priceFor(request: Buying, payments: Payments): Answer {
  const { amountMinor, currency, quota } = payments.price(bought(request, payments))
  const data = decimalAmount(amountMinor, currency)
  return { answer: true, message: 'success', data, beside: { currency, quota: String(quota) } }
}

export async function place(
  request: ManagementRequest<unknown, PlaceForm>,
  dependencies: BuyingDependencies,
): Promise<Answer> {
  const { keep_mandate: keepsMandate } = request.body
  const wanted = { ...bought(request, dependencies.payments), keepsMandate }
  return placedAnswer(await openOrder(request, wanted, dependencies))
}

export function placedAnswer(made: Placed): Answer {
  const { reference: _, ...checkout } = made.checkout
  const data = { order: orderRecord(made.order), checkout }
  return { answer: true, data, audit: { object: `order ${made.order.orderNo}` } }
}

/** Makes the order of whoever is signed in. */
export async function openOrder(
  request: ManagementRequest<unknown, unknown>,
  wanted: Omit<PlaceRequest, 'payer'>,
  dependencies: BuyingDependencies,
): Promise<Placed> {
  const payer = await payerOf(request, dependencies)
  return dependencies.payments.place({ ...wanted, payer })
}

export async function payerOf(
  request: ManagementRequest<unknown, unknown>,
  { database }: Pick<BuyingDependencies, 'database'>,
): Promise<Payer> {
  const { userId: id } = signedIn(request)
  const person = await database.knex('users').where({ id }).first('email')
  return { id, email: person?.email || undefined }
}

/** The family names a gateway where a method stands; without either it is the first there is. */
function bought({ body, principal }: Buying, payments: Payments): PriceRequest {
  const { gateway, payment_method, amount, product } = body
  const offered = payments.gateways()
  const isGateway = offered.some(({ name }) => name === payment_method)
  const named = gateway ?? (isGateway ? payment_method : offered[0]?.name) ?? ''
  const method = gateway === undefined && isGateway ? undefined : payment_method
  return { gateway: named, group: principal?.group ?? '', amount, product, method }
}
