/** Orders as a table for accountants. Names of columns are the API's, so that scripts can read them too. */
import type { Order } from '../../api/payments.js'
import type { CsvOptions } from '../../ui/list/use-csv-export.js'

export const orderCsvColumns: CsvOptions<Order>['columns'] = [
  ['trade_no', ({ trade_no }) => trade_no],
  ['user_id', ({ user_id }) => user_id],
  ['status', ({ status }) => status],
  ['payment_provider', ({ payment_provider }) => payment_provider],
  ['payment_method', ({ payment_method }) => payment_method],
  ['product', ({ product }) => product],
  ['money', ({ money }) => money],
  ['currency', ({ currency }) => currency],
  ['quota', ({ quota }) => quota],
  ['returned_quota', ({ returned_quota }) => returned_quota],
  ['automatic', ({ automatic }) => String(automatic)],
  ['test', ({ test }) => String(test)],
  ['create_time', ({ create_time }) => isoTime(create_time)],
  ['complete_time', ({ complete_time }) => isoTime(complete_time)],
  ['reason', ({ reason }) => reason],
]

function isoTime(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1000).toISOString()
}
