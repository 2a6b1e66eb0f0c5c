/** The conformance kits, as third parties import them: `waybill/conformance`. */
export { conformingFormat, type FormatSubject, type LossCase, type RequestCase } from './format.js'
export type { ReplyCase } from './format-streams.js'
export type { InquiryCase } from './inquiries.js'
export type { Subject, TestFunction } from './kit.js'
export { conformingProvider, type ProviderSubject } from './provider.js'
