/**
 * The receipt as a file. It is a GET, because a link of a page and a script download it so, though the first one issues it:
 * that is done once, changes nothing anybody could choose, and needs the number of an order, which no other site knows.
 */
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import type { Receipts } from '../../services/receipts/index.js'

const adminRole = 10

export async function printed(request: ManagementRequest, receipts: Receipts): Promise<Answer> {
  const { userId, role } = signedIn(request)
  const orderNo = request.params.trade_no!
  const owner = role >= adminRole ? {} : { userId }
  const { receipt, isNew, body } = await receipts.print({ orderNo, ...owner })
  const { label } = receipt
  return {
    answer: true,
    bytes: { body, type: 'application/pdf', fileName: `receipt-${label}.pdf` },
    // Reading one that is there is no write.
    ...(isNew && { audit: { object: `order ${orderNo}`, detail: `receipt ${label}` } }),
  }
}
