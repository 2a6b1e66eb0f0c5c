/** A service account of nobody: its key is made for one run of the tests. */
import { generateKeyPairSync } from 'node:crypto'

const { publicKey, privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

export { publicKey }

export const account = {
  type: 'service_account',
  project_id: 'my-project-7',
  private_key_id: 'kid-1',
  private_key: privateKey,
  client_email: 'relay@my-project-7.iam.gserviceaccount.com',
  // Never believed: the token comes from where the provider knows it to be.
  token_uri: 'https://evil.example/token',
}

/** As the channel keeps it: one line. */
export const key = JSON.stringify(account)
