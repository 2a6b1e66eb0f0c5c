/** What others see of signing in by another place. */
import type { JsonObject } from '../../../kernel/contract/json.js'
import type { Translations } from '../../../kernel/contract/manifest.js'
import type { OAuthIdentity, OAuthProvider } from '../../../kernel/contract/oauth.js'

export interface OAuth {
  /** The providers that are switched on, as the buttons of a sign-in page need them. */
  buttons(): readonly OAuthButton[]
  /** The providers of one user. */
  bindings(userId: number): Promise<readonly OAuthBinding[]>
  /** One that is switched on, ready for sign-ins. Throws `oauth_provider_unknown`. */
  source(provider: string): OAuthSource
  /** Whether a plugin or a path has this name, so that a provider an admin defines cannot. */
  reserved(slug: string): boolean
}

export interface OAuthButton {
  /** Name of the plugin, or slug of a provider an admin defined. */
  readonly provider: string
  readonly title: string
  /** A data URL where the plugin ships an image; else a name, or what an admin wrote. */
  readonly icon: string
  /** The title in other languages. */
  readonly translations?: Translations
  readonly style: 'redirect' | 'code' | 'widget'
  /** What anyone may know of its settings, such as a client id. */
  readonly facts: JsonObject
}

export interface OAuthBinding {
  readonly provider: string
  readonly title: string
  /** The title in other languages. */
  readonly translations?: Translations
  readonly name: string
  /** Unix seconds. */
  readonly createdAt: number
}

export interface OAuthSource extends OAuthButton {
  readonly plugin: OAuthProvider
  /** Whether the rule of access of a provider an admin defined lets this person in. */
  admits(identity: OAuthIdentity): boolean
}

/** A row of `oauth_providers`: `settings` holds values of the plugin `oauth.custom` and the rule of access. */
export interface CustomSettings {
  readonly client_id: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly user_info_endpoint: string
  readonly scopes: string
  readonly user_id_field: string
  readonly username_field: string
  readonly display_name_field: string
  readonly email_field: string
  readonly auth_style: 'header' | 'body'
  /** Every rule must hold. Empty: everybody is let in. */
  readonly access_policy: readonly AccessRule[]
}

export interface AccessRule {
  /** Path into the claims, as `realm.roles`. */
  readonly field: string
  readonly operator: 'eq' | 'in' | 'contains'
  readonly value: string | number | boolean | readonly (string | number | boolean)[]
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    oauth: OAuth
  }
}
