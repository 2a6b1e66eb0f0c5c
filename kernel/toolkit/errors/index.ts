export { EgressError, noRoom, timedOut } from './egress-error.js'
export {
  maskedBody,
  maskedFailure,
  maskedText,
  operatorMessage,
  secretsOfCall,
} from './masked-failure.js'
export { failureOf, refused, toClientError } from './outcome.js'
export { faultFields, internalFailure, PluginFault } from './plugin-fault.js'
export {
  clientError,
  concerning,
  notExpressible,
  Refusal,
  type RefusalCode,
  refusalCodes,
} from './refusal.js'
export { safeText } from './safe-text.js'
export {
  type ErrorFields,
  failureOfError,
  garbled,
  nestedError,
  statusIn,
  tooLarge,
  upstreamFailure,
} from './upstream-failure.js'
