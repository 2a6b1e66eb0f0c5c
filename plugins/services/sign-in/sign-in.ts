/** What others see of signing in: from "they have shown who they are" to an open session, by way of the second factor. */
import type { AlternativesSchema, PartialSchemaMap } from 'joi'
import type { Answer, ManagementRequest } from '../../../kernel/contract/management.js'

export type SignInMethod = 'password' | 'oauth' | 'passkey' | 'register'

export interface SignIn {
  /**
   * Opens a session for who has shown by `method` who they are, and ends the one the browser had; or, where the account
   * has a second factor and the method is none itself, returns `{require_2fa: true, flow_token}` and opens nothing.
   * Rejects with `account_disabled`. `since`: `users.sign_in_epoch` before they showed it; what has ended their
   * sessions meanwhile ends this sign-in too, with `sign_in_expired`.
   */
  begin(
    request: SignInRequest,
    userId: number,
    method: SignInMethod,
    since?: number,
  ): Promise<Answer>
  /** The second step: a code of the app, or a recovery code. Rejects as `Factors.check`, and with `sign_in_expired`. */
  finish(request: SignInRequest, flowToken: string, code: string): Promise<Answer>
  /** What both return, for `ManagementRoute.response`; `more` stands beside it. */
  response(more?: PartialSchemaMap): AlternativesSchema
}

export type SignInRequest = Pick<ManagementRequest, 'headers' | 'address' | 'secure'>

declare module '../../../kernel/contract/service.js' {
  interface Services {
    'sign-in': SignIn
  }
}
