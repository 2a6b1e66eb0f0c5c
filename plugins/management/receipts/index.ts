/** Receipts of paid orders as files, to whom they are made out, and the list of what was issued. */
import type { Management } from '../../../kernel/contract/management.js'
import type { Kit } from '../../../kernel/contract/service-kit.js'
import { signedIn } from '../../../kernel/toolkit/management/index.js'
import { printed } from './file.js'
import * as forms from './forms.js'
import { billingRecord, receiptRecord } from './records.js'
import * as responses from './responses.js'

export default function create({ services: { receipts } }: Kit<'receipts'>): Management {
  return {
    routes: {
      print: {
        params: forms.orderParams,
        mediaType: 'application/pdf',
        failureStatuses: [409],
        handle: (request) => printed(request, receipts),
      },
      list: {
        query: forms.listQuery,
        response: responses.receiptPage,
        async handle({ query }) {
          const { p, page_size, user_id: userId, keyword: search }: forms.ListQuery = query
          const page = Math.max(p, 1)
          const offset = (page - 1) * page_size
          const found = await receipts.list({ userId, search, offset, limit: page_size })
          return { page, page_size, total: found.total, items: found.items.map(receiptRecord) }
        },
      },
      billing: {
        response: responses.billing,
        async handle(request) {
          const details = await receipts.billing(signedIn(request).userId)
          return billingRecord(details, receipts.reasonOff())
        },
      },
      setBilling: {
        body: forms.billingForm,
        response: responses.billing,
        async handle(request) {
          const { userId } = signedIn(request)
          const { name, address, tax_id: taxId }: forms.BillingForm = request.body
          const details = await receipts.setBilling(userId, { name, address, taxId })
          const audit = { object: `user ${userId}`, detail: 'billing details' }
          return { answer: true, data: billingRecord(details, receipts.reasonOff()), audit }
        },
      },
    },
  }
}
