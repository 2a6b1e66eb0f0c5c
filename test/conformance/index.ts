/** The conformance kits, as third parties import them: `waybill/conformance`. */
export { conformingFormat, type FormatSubject, type LossCase, type RequestCase } from './format.js'
export type { ReplyCase } from './format-streams.js'
export type { InquiryCase } from './inquiries.js'
export type { Subject, TestFunction } from './kit.js'
export { conformingNotifier, type NotifierSubject, type Played } from './notifier.js'
export { conformingOAuth, type OAuthRefusal, type OAuthSignIn, type OAuthSubject } from './oauth.js'
export type { OutgoingCall, ScriptedAnswer } from './outgoing.js'
export { conformingProvider, type ProviderSubject } from './provider.js'
