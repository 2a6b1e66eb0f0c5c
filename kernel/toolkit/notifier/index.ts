export { acceptedLanguage, chosenLanguage, type NoticeLanguage } from './language.js'
export { calledAddress, faultOfAddress, noticeText, outcomeOf, outcomeOfError } from './notices.js'
