export { actionOfModel } from './action-of-model.js'
export {
  answerObject,
  listAt,
  numberAt,
  objectAt,
  quantities,
  refAt,
  stateReader,
  textAt,
  timeOf,
  valueAt,
} from './answer.js'
export { type ClientTask, clientTask } from './client-request.js'
export { errorFormat, errorObject, errorWords } from './error-words.js'
export { type Frame, frameOf, sizeWords } from './frame.js'
export {
  type DataUrl,
  dataUrl,
  type MediaKind,
  mediaFault,
  mediaKindOf,
  mediaSource,
} from './media-source.js'
export { type TaskOperationOptions, taskOperation } from './task-operation.js'
export { checkVideo, type VideoRequest, videoRequest } from './video-request.js'
