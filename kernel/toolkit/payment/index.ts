export { currencyDigits, decimalAmount, minorUnits } from './amounts.js'
export { isEqualInConstantTime } from './signature.js'
