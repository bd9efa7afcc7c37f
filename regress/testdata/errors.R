# Makes errors.csv, rows of games, and errors-of-r.csv, what R finds in them; see README.md.
options(digits = 17)
set.seed(46)
games <- 14
game <- rep(1:games, times = sample(3:6, games, replace = TRUE))
game[game > 10] <- 0 # of no game: each row is a cluster of its own
n <- length(game)
cluster <- ifelse(game > 0, game, 100 + seq_len(n))
shift <- rnorm(games)[pmax(game, 1)] * (game > 0)
a <- round(2 * shift + rnorm(n), 2)
b <- round(rnorm(n) + a / 3, 2)
c <- sample(-3:3, n, replace = TRUE)
label <- round(40 * a - 15 * b + 6 * c + 30 * shift + 20 * rnorm(n), 1)
weight <- sample(c(0, 0.25, 0.5, 1, 2.5), n, replace = TRUE)
d <- data.frame(game, cluster, a, b, c, aliased = 2 * a - c, label, weight)
write.csv(d, "errors.csv", row.names = FALSE, quote = FALSE)
d <- read.csv("errors.csv") # with the decimals that the file has

# Liang and Zeger's sandwich by hand, with the factor G/(G-1) (n-1)/(n-k).
clustered <- function(fit, by, w) {
  x <- model.matrix(fit)[w > 0, ]
  e <- (w * residuals(fit))[w > 0]
  by <- by[w > 0]
  s <- rowsum(x * e, by)
  h <- solve(crossprod(x * sqrt(w[w > 0])))
  g <- nrow(s)
  n <- nrow(x)
  v <- h %*% crossprod(s) %*% h * g / (g - 1) * (n - 1) / (n - ncol(x))
  sqrt(diag(v))
}

ones <- rep(1, n)
plain <- lm(label ~ 0 + a + b + c, d)
weighted <- lm(label ~ 0 + a + b + c, d, weights = weight)
aliased <- lm(label ~ 0 + a + b + c + aliased, d)
ordinary <- function(fit) coef(summary(fit))[, 2]
out <- function(what, fit, errors) data.frame(what, feature = names(errors), estimate = coef(fit)[names(errors)], stderr = errors)
all <- rbind(
  out("ordinary", plain, ordinary(plain)),
  out("ordinary weighted", weighted, ordinary(weighted)),
  out("clustered", plain, clustered(plain, d$cluster, ones)),
  out("clustered weighted", weighted, clustered(weighted, d$cluster, d$weight)),
  out("aliased", aliased, c(ordinary(aliased), aliased = NA))
)
all$estimate <- trimws(format(all$estimate, digits = 17))
all$stderr <- trimws(format(all$stderr, digits = 17))
write.csv(all, "errors-of-r.csv", row.names = FALSE, quote = FALSE)
