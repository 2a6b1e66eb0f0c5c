export { limits } from './limits.js'
