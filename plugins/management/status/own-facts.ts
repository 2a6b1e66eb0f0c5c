/** What the status shows of its own settings: the looks of the gateway, and how it shows money. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Settings } from '../../../kernel/contract/kit.js'
import type { StoredOptions } from './stored-options.js'

/** Quota of one US dollar (ledger/README.md section 1). */
const quotaPerUnit = 500_000
/** What the family's clients take for the price of a unit where no payment gateway sets another. */
const usualPrice = 7.3
const usualUnitPrice = 8

export function looksFacts(settings: Settings): JsonObject {
  return {
    system_name: settings.string('systemName'),
    server_address: settings.string('serverAddress'),
    logo: settings.string('logo'),
    footer_html: settings.string('footer'),
    top_up_link: settings.string('topUpLink'),
    docs_link: settings.string('docsLink'),
    default_collapse_sidebar: settings.boolean('collapseSidebar'),
    chats: settings.all.chats ?? [],
    HeaderNavModules: settings.string('headerNavModules'),
    SidebarModulesAdmin: settings.string('sidebarModules'),
  }
}

export function currencyFacts(settings: Settings, stored: StoredOptions): JsonObject {
  const shown = settings.string('quotaDisplayType')
  return {
    quota_per_unit: quotaPerUnit,
    quota_display_type: shown,
    display_in_currency: settings.boolean('displayInCurrency') && shown !== 'TOKENS',
    custom_currency_symbol: settings.string('customCurrencySymbol'),
    custom_currency_exchange_rate: settings.number('customCurrencyRate'),
    price: stored.number('Price', usualPrice),
    usd_exchange_rate: settings.number('exchangeRate'),
    stripe_unit_price: stored.number('StripeUnitPrice', usualUnitPrice),
  }
}
