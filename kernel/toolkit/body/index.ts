export { bytesOf, changed, type JsonBody } from './body.js'
export { Collector } from './collect.js'
export { formBytes, isFormType, readForm } from './form.js'
export { readAll, readHead, roomFor } from './read-body.js'
