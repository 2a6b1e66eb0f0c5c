/** Redemption codes as a table to hand on. Names of columns are the API's, so that scripts can read them too. */
import type { RedemptionCode } from '../../api/redemption.js'
import type { CsvOptions } from '../../ui/list/use-csv-export.js'

export const codeCsvColumns: CsvOptions<RedemptionCode>['columns'] = [
  ['id', ({ id }) => id],
  ['batch', ({ batch }) => batch],
  ['name', ({ name }) => name],
  ['key', ({ key }) => key],
  ['quota', ({ quota }) => quota],
  ['state', ({ state }) => state],
  ['uses', ({ uses }) => uses],
  ['uses_max', ({ uses_max }) => uses_max],
  ['created_time', ({ created_time }) => isoTime(created_time)],
  ['expired_time', ({ expired_time }) => isoTime(expired_time)],
  ['redeemed_time', ({ redeemed_time }) => isoTime(redeemed_time)],
  ['used_user_id', ({ used_user_id }) => used_user_id],
]

function isoTime(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1000).toISOString()
}
