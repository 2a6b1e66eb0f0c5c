export { channelTypeNumber } from '../service/manifest-names.js'
export { modelSegment, normalBase, upstreamUrl } from './address.js'
export { type AgentOptions, agentAdapter } from './agent-adapter.js'
export { agentQuestion } from './agent-question.js'
export { bearerCall, bearerRequest } from './bearer-request.js'
export { fileName } from './file-names.js'
export { JsonLines, type LineReader } from './json-lines.js'
export { StreamOrBody } from './stream-or-body.js'
export { type FileToUpload, uploadEach, uploadRequest } from './uploads.js'
export {
  bearerGet,
  bearerList,
  fieldOfEach,
  listedIds,
  type NamePage,
  otherCurrency,
  type Read,
  readAmount,
  readNames,
} from './upstream-query.js'
