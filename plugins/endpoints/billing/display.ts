/** The unit amounts are shown in, as the options of the public status set it: US dollars unless an admin chose another. */
import type { Option } from '../../services/options/index.js'

/** Quota of one US dollar (ledger/README.md section 1). */
const quotaPerDollar = 500_000

export function unitsPerQuota(options: readonly Option[]): number {
  const values = new Map(options.map(({ key, value }) => [key, value]))
  const rate = (key: string) => Number(values.get(key) ?? 1) / quotaPerDollar
  switch (values.get('general_setting.quota_display_type')) {
    case 'TOKENS':
      return 1
    case 'CNY':
      return rate('USDExchangeRate')
    case 'CUSTOM':
      return rate('general_setting.custom_currency_exchange_rate')
    default:
      return 1 / quotaPerDollar
  }
}
