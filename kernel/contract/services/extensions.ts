/** Plugins that are looked up by name and imported on first use. */

import type { JsonObject } from '../json.js'
import type { Manifest } from '../manifest.js'
import type { Notifier } from '../notifier.js'
import type { OAuthProvider } from '../oauth.js'
import type { PaymentGateway } from '../payment.js'

/** Plugins that are looked up by name and imported on first use. */
export interface Extensions {
  /** All of a kind that their manifest lets be used, sorted by id. */
  list(kind: 'oauth' | 'notifier' | 'payment'): readonly Manifest[]
  /** By name: `github` for `oauth.github`. Rejects where there is none or it failed. */
  oauth(name: string): Promise<OAuthProvider>
  /** One more of its kind, which reads these values of its `instanceSettings` instead of stored settings. */
  oauthOf(name: string, values: JsonObject): Promise<OAuthProvider>
  notifier(name: string): Promise<Notifier>
  payment(name: string): Promise<PaymentGateway>
}
