export {
  type AppAtPlace,
  answeredObject,
  authorizeUrl,
  basicCredential,
  digitsSubject,
  grantedToken,
  numberSubject,
  OAuthApp,
  oauthFault,
  tokenForm,
} from './oauth.js'
