// Times the articulated-body algorithm of Pinocchio: aba MODEL STATES, where MODEL is as `saveToText` writes it and each line of STATES
// has q, v and tau. Prints the least time of one evaluation in nanoseconds.
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/serialization.hpp>

#include <chrono>
#include <fstream>
#include <iostream>
#include <vector>

int main(int, char** arguments) {
    pinocchio::Model model;
    model.loadFromText(arguments[1]);
    pinocchio::Data data(model);
    struct State {
        Eigen::VectorXd q, v, tau;
    };
    std::vector<State> states;
    std::ifstream file(arguments[2]);
    for (;;) {
        State s{Eigen::VectorXd(model.nq), Eigen::VectorXd(model.nv), Eigen::VectorXd(model.nv)};
        for (auto* part : {&s.q, &s.v, &s.tau})
            for (int i = 0; i < part->size(); i++) file >> (*part)[i];
        if (!file) break;
        states.push_back(s);
    }
    double least = 1e300, sum = 0;
    for (int round = 0; round < 201; round++) {
        const int count = 512;
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < count; i++) {
            const State& s = states[i % states.size()];
            sum += pinocchio::aba(model, data, s.q, s.v, s.tau, pinocchio::Convention::LOCAL)[0];
        }
        const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
        least = std::min(least, taken.count() / count);
    }
    std::cout << least << '\n';
    std::cerr << sum << '\n';
}
