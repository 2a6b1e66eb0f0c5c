export {
  answeredObject,
  authorizeUrl,
  basicCredential,
  grantedToken,
  oauthFault,
  tokenForm,
} from './oauth.js'
