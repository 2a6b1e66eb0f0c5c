export { calledAddress, faultOfAddress, noticeText, outcomeOf, outcomeOfError } from './notices.js'
