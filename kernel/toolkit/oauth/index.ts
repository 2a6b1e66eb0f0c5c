export {
  type AppAtPlace,
  answeredObject,
  authorizeUrl,
  basicCredential,
  grantedToken,
  OAuthApp,
  oauthFault,
  tokenForm,
} from './oauth.js'
