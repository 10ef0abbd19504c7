/**
 * Every quoted text that is not an error, by screen (TEXT-1). The screens take their words from here, and a test looks for each
 * on its screen. Error texts are in `messages.ts`.
 */
export const texts = {
  session: { loading: "Loading..." },
  landing: {
    navCourse: "Course",
    navStories: "Success Stories",
    navPricing: "Pricing",
    login: "Login",
    title: "Master Forex Trading",
    startLearning: "Start Learning Now",
    watchDemo: "Watch Demo",
    footerCourse: "Course",
    footerSupport: "Support",
    footerLegal: "Legal",
  },
  auth: {
    signInTitle: "Welcome Back",
    signIn: "Sign In",
    signUpTitle: "Create Account",
    signUp: "Create Account",
    fullName: "Full Name",
    busy: "Please wait...",
    /** Mails name it too. */
    forgotPassword: "Forgot your password?",
  },
  verification: {
    back: "Back",
    verify: "Verify Email",
    verifying: "Verifying...",
  },
  student: {
    loading: "Loading your course content...",
    greeting: "Welcome back, {name}!",
    unpaidMessage: "Contact admin to get access to course content.",
    paidMessage: "You have access to Starter or Advanced package content.",
    availableVideos: "Available Videos",
    courseModules: "Course Modules",
    allModules: "All Modules",
    watchNow: "Watch Now",
    purchaseRequired: "Purchase Required",
    buyStarter: "Buy Starter Package",
    buyAdvanced: "Buy Advanced Package",
    mostPopular: "Most Popular",
    logout: "Logout",
  },
  payment: {
    launchOffer: "50% OFF Starter & 70% OFF Advanced",
    launchCode: "LUNCH",
    apply: "Apply",
    remove: "Remove",
    uploadLimit: "up to 5MB (PNG, JPG)",
    submit: "Submit Payment Request",
    importantNotes: "Important Notes",
    backToDashboard: "Back to Dashboard",
    submitted: "Payment Submitted!",
    whatNext: "What happens next?",
    returnToDashboard: "Return to Dashboard",
    logout: "Logout",
  },
  admin: {
    loading: "Loading admin dashboard...",
    badge: "Admin",
    users: "Users",
    payments: "Payments",
    videos: "Videos",
    settings: "Settings",
    logout: "Logout",
    confirmDeleteUser: "Are you sure you want to delete this user? This action cannot be undone.",
    confirmDeleteVideo: "Are you sure you want to delete this video?",
  },
} as const satisfies Record<string, Record<string, string>>;

/** The three figures of the landing page (LANDING-1). */
export const landingStats = [
  { figure: "85%", label: "Success Rate" },
  { figure: "10K+", label: "Students" },
  { figure: "$2M+", label: "Profits Generated" },
] as const;

/** The six cards of the curriculum (LANDING-1). */
export const curriculum = [
  { title: "Forex Fundamentals", count: "12 lessons", duration: "3 hours" },
  { title: "Technical Analysis", count: "18 lessons", duration: "5 hours" },
  { title: "Trading Strategies", count: "15 lessons", duration: "4 hours" },
  { title: "Risk Management", count: "10 lessons", duration: "2.5 hours" },
  { title: "Trading Psychology", count: "8 lessons", duration: "2 hours" },
  { title: "Live Trading", count: "20 sessions", duration: "10 hours" },
] as const;

/** The module names that have an icon of their own (VIDEO-5). */
export const moduleNames = [
  "Forex Basics",
  "SMC Course",
  "Elliott Wave",
  "Risk Management",
  "Psychology",
  "Live Trading",
] as const;
export type ModuleName = (typeof moduleNames)[number];

/** Returns a text with values in the places that it names in braces; a place without a value stays. */
export function fill(text: string, values: Record<string, string>): string {
  return text.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place);
}
