/** What others see of signing in by another place. */
import type { JsonObject } from '../../../kernel/contract/json.js'

export interface OAuth {
  /** The providers that are switched on, as the buttons of a sign-in page need them. */
  buttons(): readonly OAuthButton[]
  /** The providers of one user. */
  bindings(userId: number): Promise<readonly OAuthBinding[]>
}

export interface OAuthButton {
  /** Name of the plugin, or slug of a provider an admin defined. */
  readonly provider: string
  readonly title: string
  readonly icon: string
  readonly style: 'redirect' | 'code' | 'widget'
  /** What anyone may know of its settings, such as a client id. */
  readonly facts: JsonObject
}

export interface OAuthBinding {
  readonly provider: string
  readonly title: string
  readonly name: string
  /** Unix seconds. */
  readonly createdAt: number
}

declare module '../../../kernel/contract/service.js' {
  interface Services {
    oauth: OAuth
  }
}
