/** The conformance kits, as third parties import them: `waybill/conformance`. */

export type { DecodedResponse } from './decoded-response.js'
export { conformingFormat, type FormatSubject, type LossCase, type RequestCase } from './format.js'
export type { ReplyCase } from './format-streams.js'
export { conformingGuard, type GuardCase, type GuardSubject, type RefusedCase } from './guard.js'
export type { Subject, TestRunner } from './kit.js'
export { conformingNotifier, type NotifierSubject, type Played } from './notifier.js'
export { conformingOAuth, type OAuthRefusal, type OAuthSignIn, type OAuthSubject } from './oauth.js'
export type { OutgoingCall, ScriptedAnswer } from './outgoing.js'
export type { WriteCase } from './own-form.js'
export {
  type CallbackSubject,
  conformingPayment,
  type PaidFacts,
  type PaymentSubject,
} from './payment.js'
export type { ChargeProvider, ChargeSubject } from './payment-charge.js'
export type { PortalSubject } from './payment-portal.js'
export type { EndedFacts, RecurringSubject, RenewedFacts } from './payment-recurring.js'
export type { PreparationCase, PreparingCall } from './preparations.js'
export { conformingProvider, type ProviderSubject } from './provider.js'
export { conformingTask, type TaskSubject } from './task.js'
export type { InquiryCase } from './upstream-queries.js'
export { exchangesIn, type VendorExchange } from './vendor-exchanges.js'
export type { VendorFact, VendorQuirk } from './vendor-quirks.js'
