/** Whether receipts are issued, and which orders have one. Payers in their wallet and admins in the orders see the same. */
import { useQuery } from '@tanstack/vue-query'
import { computed } from 'vue'
import type { Order } from '../api/payments.js'
import { readBilling } from '../api/receipts.js'

export const billingKey = ['account', 'billing'] as const

export function useReceipts() {
  const billing = useQuery({ queryKey: billingKey, queryFn: readBilling })
  const areIssued = computed(() => billing.data.value?.receipts === true)
  const hasReceipt = ({ status }: Pick<Order, 'status'>) =>
    areIssued.value && (status === 'success' || status === 'refunded')
  return { billing, areIssued, hasReceipt }
}
