/** Texts about a single field, by the code that a check of the contract sets as its issue's message. */
export const fieldTexts = {
  text_too_long: "Please use at most {maximum} characters.",
  text_invisible: "Please remove the invisible characters.",
  price_invalid: "Please enter a price from 0.01 to 100,000,000 USD with at most 2 decimals.",
  price_bounds_crossed: "The highest price must not be below the lowest one.",
  coupon_code_invalid: "Please use 1 to 40 upper-case letters, digits, - or _.",
  percent_invalid: "Please enter a percent from 0 to 100 with at most 2 decimals.",
  percent_out_of_range: "A percent from 0 to 100.",
  coupon_period_invalid: "Please choose an end that is after the start.",
  max_uses_invalid: "Please enter a whole number from 1 to 1,000,000, or nothing for no limit.",
  title_missing: "Please enter a title.",
  description_missing: "Please enter a description.",
  text_missing: "Please enter a text.",
  module_missing: "Please enter a module.",
  order_index_too_small: "The order index starts at 1.",
  language_invalid: "Please enter a language tag such as en, th or pt-BR.",
  language_name_missing: "Please enter the language as students read it.",
  address_missing: "Please enter the address.",
  code_missing: "Please enter the code.",
  date_invalid: "Please enter a date.",
  time_invalid: "Please enter a time of day, such as 19:00.",
  time_zone_invalid: "Please choose a time zone.",
  duration_invalid: "Please enter 5 to 720 minutes.",
  join_url_invalid: "Please enter a web address that starts with https://",
  current_password_missing: "Please enter your current password.",
};

export type FieldCode = keyof typeof fieldTexts;
