/** Coming in: signing in, joining, a lost password, and the way back from another place. */
import { defineModule } from '../../shell/module.js'

const join = () => import('./join/register-page.vue')

export default defineModule({
  id: 'sign-in',
  routes: [
    {
      path: '/login',
      name: 'sign-in',
      title: { en: 'Sign in', zh: '登录' },
      frame: 'card',
      role: 0,
      guestsOnly: true,
      page: () => import('./sign-in-page.vue'),
    },
    {
      path: '/register',
      name: 'register',
      title: { en: 'Create an account', zh: '注册' },
      frame: 'card',
      role: 0,
      guestsOnly: true,
      page: join,
    },
    {
      path: '/sign-up',
      name: 'sign-up',
      title: { en: 'Create an account', zh: '注册' },
      frame: 'card',
      role: 0,
      guestsOnly: true,
      page: join,
    },
    {
      path: '/reset',
      name: 'reset',
      title: { en: 'Lost password', zh: '找回密码' },
      frame: 'card',
      role: 0,
      page: () => import('./reset/request-page.vue'),
    },
    {
      path: '/user/reset',
      name: 'reset.choose',
      title: { en: 'New password', zh: '设置新密码' },
      frame: 'card',
      role: 0,
      page: () => import('./reset/choose-page.vue'),
    },
    {
      path: '/oauth/:provider',
      name: 'oauth.return',
      title: { en: 'Signing in', zh: '正在登录' },
      frame: 'card',
      role: 0,
      page: () => import('./oauth/return-page.vue'),
    },
  ],
  dialogs: { 'sign-in': () => import('./reentry-dialog.vue') },
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})
